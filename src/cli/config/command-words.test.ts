/** Command lines as people write them. */
import { describe, expect, it } from 'vitest'
import { splitWords } from './command-words.ts'

describe('a command line', () => {
  it.each([
    ['my-agent --acp', ['my-agent', '--acp']],
    ['  my-agent\t--acp \n', ['my-agent', '--acp']],
    [`a 'b c' "d e"`, ['a', 'b c', 'd e']],
    [`a --name='b c'd`, ['a', '--name=b cd']],
    ['a "" \'\'', ['a', '', '']],
    ['a b\\ c \\"', ['a', 'b c', '"']],
    ['a "say \\"hi\\" \\n \\\\"', ['a', 'say "hi" \\n \\']],
    [`a '\\$x "y"'`, ['a', '\\$x "y"']],
    ['a "two\nlines"', ['a', 'two\nlines']],
    ['ä "ü 🚦"', ['ä', 'ü 🚦']],
  ])('%j has the words %j', (line, words) => {
    expect(splitWords(line)).toEqual({ words, doubts: [] })
  })

  it.each([
    ['', 'No program is named.'],
    ['  ', 'No program is named.'],
    ['"" x', 'No program is named.'],
    ["a 'b", "The quotation mark ' is never closed."],
    ['a "b\\"', 'The quotation mark " is never closed.'],
    ['a \\', 'The line ends with a backslash.'],
    ['a \0', 'A command line cannot hold a NUL character.'],
    ['KEY=1 a', '"KEY=1" is not a program. Variables belong under `env:`.'],
  ])('%j is refused', (line, problem) => {
    expect(splitWords(line)).toEqual({ problem })
  })

  it('tells what only a shell would do, unless it is quoted', () => {
    const doubtsOf = (line: string) => {
      const split = splitWords(line)
      return 'doubts' in split ? split.doubts : []
    }
    expect(doubtsOf('a && b | c > d 2>&1 ; e')).toHaveLength(5)
    expect(doubtsOf('a $HOME/x `date` ${Y}')).toHaveLength(3)
    expect(doubtsOf(`sh -c 'a && b > $HOME/x' "$\{Y}" \\$Z`)).toEqual([])
    expect(doubtsOf('a --price $5 a&b')).toEqual([])
  })
})
