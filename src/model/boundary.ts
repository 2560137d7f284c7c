/**
 * What those who work in a step may write, a list of globs for each of them. They share a worktree, so a file lies within
 * where one of the lists allows it. Null: anything.
 *
 * In a list later globs win over earlier ones, `!` forbids, and a list that begins with `!` means everything but that; an
 * empty one means nothing.
 */
export type Boundary = readonly (readonly string[])[] | null
