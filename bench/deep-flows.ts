/** Makes flows inside flows: each level goes into the next, checks what came out, and may go in once more. */
export function deepFlows(depth: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Array.from({ length: depth }, (_, level) => [
      fileAt(level),
      level === depth - 1 ? INNERMOST : around(level),
    ]),
  )
}

const fileAt = (level: number): string => `deep-${level}.yaml`

const INNERMOST = `runbook: 1
name: innermost
steps:
  test: { check: npm test, options: { pass: done, fail: abandoned } }
`

const around = (level: number): string => `runbook: 1
name: deep-${level}
steps:
  inside: { flow: ${fileAt(level + 1)}, options: { done: test, abandoned: abandoned } }
  test: { check: npm test, options: { pass: done, fail: { to: inside, max: 1, then: abandoned } } }
`
