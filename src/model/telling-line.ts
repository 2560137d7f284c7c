/** The one line of a command's output that says what went wrong, for whoever reads only one. */

const LONGEST = 120

export function tellingLine(output: string): string {
  const said = linesOf(output)
  return short(
    cannotRunLine(output) ?? said.findLast((line) => TROUBLE.test(line)) ?? said.at(-1) ?? '(no output)',
  )
}

export const firstLine = (text: string): string => short(linesOf(text)[0] ?? '')
export const lastLine = (text: string): string => short(linesOf(text).at(-1) ?? '(no output)')

/**
 * What only whoever starts a command says when there is nothing to start: a shell without the program, a package manager
 * without its manifest or script. Null where the command itself may have spoken: one that ran and failed says much, and
 * may say any of this about what it looks at.
 */
export function cannotRunLine(output: string): string | null {
  const said = linesOf(output).filter((line) => !/^(?:npm )?warn/i.test(line))
  if (said.length > MOST_LINES) return null
  return said.find((line) => NOTHING_TO_START.some((shape) => shape.test(line))) ?? null
}

const MOST_LINES = 20

const NOTHING_TO_START: readonly RegExp[] = [
  // sh, bash, dash, zsh, busybox; a program by name, or a script by its path
  /^(?:[\w./-]*sh|[^\s:]+): (?:(?:line )?\d+: )?[^\s:]+: (?:command )?not found$/,
  /^[\w./-]*sh: (?:(?:line )?\d+: )?(?:cannot open |can't open )?\S+: No such file(?: or directory)?$/i,
  /^[\w./-]*sh: \d+: cannot open \S+: No such file$/i,
  // npm, pnpm, yarn, bun, deno
  /Could not read package\.json/,
  /\bMissing script: /,
  /ERR_PNPM_NO_(?:SCRIPT|IMPORTER_MANIFEST_FOUND)/,
  /^error Command "[^"]*" not found\.$/,
  /Couldn't find a package\.json/,
  /^error: Script not found /,
  /^error: Task not found/,
  // make, cargo, go, python, maven, gradle
  /^make(?:\[\d+\])?: \*\*\* No (?:rule to make target|targets specified)/,
  /^error: could not find `Cargo\.toml`/,
  /^go: (?:go\.mod file not found|cannot find main module)/,
  /^\S*python[\d.]*: (?:No module named |can't open file )/,
  /there is no POM in this directory/,
  /does not contain a Gradle build/,
]

const TROUBLE = /\b(?:error|assert\w*|expected|not ok|failed|failure|not found|no such)\b/i

const short = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text)

const linesOf = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
