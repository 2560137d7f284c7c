/**
 * The line of a runbook's text that says where an outcome of a step leads: found by how the three syntaxes write keys, and not by their grammar, so
 * what is written unusually is not found. The step's own line does where its outcome has none.
 */
export function lineOf(text: string, step: string, outcome: string): number | null {
  const lines = text.split('\n')
  const own = step.split('/').at(-1) ?? step
  const begun = lines.findIndex((line) => isKey(line, own))
  const at = begun >= 0 ? begun : lines.findIndex((line) => mentions(line, own))
  if (at < 0) return null
  if (mentions(lines[at]!, outcome)) return at + 1
  const indent = indentOf(lines[at]!)
  for (let next = at + 1; next < lines.length; next++) {
    const line = lines[next]!
    if (line.trim() === '') continue
    if (indentOf(line) <= indent && !/^\s*[}\])]/.test(line)) break
    if (mentions(line, outcome)) return next + 1
  }
  return at + 1
}

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** `develop:` in YAML and TypeScript, `agent "develop" {` in HCL. */
const isKey = (line: string, name: string): boolean =>
  new RegExp(`^\\s*(?:["']?${escaped(name)}["']?\\s*:|\\w+\\s+"${escaped(name)}"\\s*\\{)`).test(line)

const mentions = (line: string, name: string): boolean =>
  new RegExp(`(?:^|[\\s{,(])["']?${escaped(name)}["']?\\s*[:=]|\\w+\\s+"${escaped(name)}"\\s*\\{`).test(line)

const indentOf = (line: string): number => line.length - line.trimStart().length
