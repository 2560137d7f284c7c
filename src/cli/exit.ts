/** What the command's exit code says. */
export const EXIT = { ok: 0, failed: 1, usage: 2, waiting: 3, interrupted: 130 } as const
