import { describe, expect, it } from 'vitest'
import { cannotRunLine, tellingLine } from './telling-line.ts'

describe('[C12] a command that cannot even run', () => {
  it.each([
    'sh: 1: tape: not found',
    'sh: tape: command not found',
    '/bin/sh: line 1: tape: command not found',
    'bash: line 1: tape: command not found',
    'sh: 0: cannot open check.sh: No such file',
    'bash: ./check.sh: No such file or directory',
    'npm error Missing script: "test"',
    "npm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/w/package.json'",
    'ERR_PNPM_NO_IMPORTER_MANIFEST_FOUND  No package.json was found in "/w".',
    'error Command "test" not found.',
    "make: *** No rule to make target 'test'.  Stop.",
    'make: *** No targets specified and no makefile found.  Stop.',
    'error: could not find `Cargo.toml` in `/w` or any parent directory',
    "go: go.mod file not found in current directory or any parent directory; see 'go help modules'",
    '/usr/bin/python3: No module named pytest',
    "python3: can't open file '/w/check.py': [Errno 2] No such file or directory",
  ])('is known by what its starter says: %s', (line) => {
    expect(cannotRunLine(`npm warn something\n${line}\n\n`)).toBe(line)
    expect(
      tellingLine(`${line}\nnpm error A complete log of this run can be found in: /root/x.log`),
    ).toContain(line.slice(0, 100))
  })

  it.each([
    'not ok 3 - says "tape: not found" to whoever asks',
    "Error: ENOENT: no such file or directory, open 'fixture.json'",
    'AssertionError: expected "a" to be "b"',
    'FAIL test/shell.test.ts > tells that a command was not found',
  ])('is not what failed by itself: %s', (line) => {
    expect(cannotRunLine(line)).toBeNull()
    expect(tellingLine(`before\n${line}\n1 test`)).toBe(line)
  })

  it('is not said by one that said a lot', () => {
    const lines = Array.from({ length: 30 }, (_, index) => `ok ${index}`)
    expect(cannotRunLine([...lines, 'sh: 1: tape: not found'].join('\n'))).toBeNull()
  })
})
