/** However long and odd the text, reading ends soon, with findings and without an exception. */
import { describe, expect, it } from 'vitest'
import { read } from './reading.fixture.ts'

/** Of this process alone, and far above what it takes: what grows too fast takes minutes. */
const SOON_MS = 5_000

const soon = (text: string): void => {
  const before = process.cpuUsage()
  const { diagnostics } = read(text)
  const { user, system } = process.cpuUsage(before)
  expect((user + system) / 1000).toBeLessThan(SOON_MS)
  expect(diagnostics.filter(({ severity }) => severity === 'error').length).toBeLessThanOrEqual(101)
}

const filled = (piece: string, size: number): string => piece.repeat(Math.ceil(size / piece.length))

describe('half a megabyte', () => {
  it.each(['[', '{', '"', '<<X', '<<X\n', 'a=', '${', '"${', '"\\u007b'])('of %j', (piece) => {
    for (const opening of ['', 'a = [']) soon(opening + filled(piece, 512 * 1024))
  })
})

/** Small enough to be quick, and large enough that twice the length taking four times as long would show. */
describe('a long run', () => {
  it.each([
    ...[
      'a=\n',
      '"${"',
      'a="${"\n',
      '%{',
      '/*',
      '#',
      '\\',
      '(',
      '}',
      '=',
      '-',
      '.',
      ',',
      '\n',
      '\r',
      ' ',
      'a',
      '1',
      'a{',
    ],
    ...[
      'a{\n',
      'a "b" {',
      'a=[',
      'a={',
      '{a=',
      '[[],',
      'a=[{',
      'a=<<X\nX\n',
      'a=<<-X\n ${\nX\n',
      'a.',
      'a(',
      'a=a[',
    ],
    ...[
      '\uD800',
      '\0',
      '"a"',
      'é',
      '1e',
      '[for a ',
      'step "a" {}\n',
      'job "a" {}\n',
      'stepp {}\n',
      'agent "a" {}\n',
    ],
  ])('of %j', (piece) => {
    for (const opening of ['', 'a = "', 'a = [']) soon(opening + filled(piece, 32 * 1024))
  })

  it.each([
    ['steps', (n: number) => `step "s${n}" {}\n`],
    ['steps that each wait for the next', (n: number) => `step "s${n}" { depends_on = ["s${n + 1}"] }\n`],
    ['steps that all wait for one', (n: number) => `step "s${n}" { depends_on = ["s9"] }\n`],
    ['steps that wait for nothing known', (n: number) => `step "s${n}" { depends_on = ["t${n}"] }\n`],
    ['attributes', (n: number) => `a${n} = {}\n`],
    ['unknown blocks', (n: number) => `block${n} {}\n`],
    ['names in one list', (n: number) => (n === 0 ? 'step "a" { depends_on = [' : `"s${n}",`)],
    ['decisions', (n: number) => `step "s${n}" { decision { option "a" {} option "b" {} } }\n`],
  ])('of %s', (_, piece) => {
    soon(Array.from({ length: 5_000 }, (_, n) => piece(n)).join(''))
  })

  it('of names in a list that is well formed', () => {
    const names = Array.from({ length: 150_000 }, () => '"a"').join()
    soon(`step "a" { run = "x" }\nstep "b" {\n  run = "x"\n  depends_on = [${names}]\n}`)
  })
})
