/** What several commands take. */
export const RUN_ID = 'its id, or the beginning of it'

/** For what may be said more than once. */
export const collect = (value: string, all: string[] = []): string[] => [...all, value]
