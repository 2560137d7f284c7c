import { describe, expect, it } from 'vitest'
import { tomlNames } from './toml-names.ts'

const namesIn = (text: string) => {
  const read = tomlNames(text)
  return 'names' in read ? read.names.map((name) => name.join('.')) : read.badLine
}

describe('the names in TOML', () => {
  it('are those of tables and keys, whatever the values are', () => {
    const text = [
      '# a comment with [a.table]',
      'model = "gpt" # [x]',
      "path = 'C:\\x'",
      'long = """',
      '[not.a.table]',
      'it\'s "quoted" \\"""',
      '"""',
      "raw = '''",
      "key = 'x'",
      "'''",
      'list = [ # first',
      '  "a]", [1, 2], { b = "}" },',
      ']',
      'when = 1979-05-27 07:32:00Z',
      'on = true',
      '',
      '[mcp_servers."other one"]',
      'env = { KEY = "v" }',
      '[[ array . of ]]',
      'a.b = 1\r',
      '',
    ].join('\n')
    expect(namesIn(text)).toEqual([
      'model',
      'path',
      'long',
      'raw',
      'list',
      'when',
      'on',
      'mcp_servers.other one',
      'mcp_servers.other one.env',
      'array.of',
      'array.of.a.b',
    ])
    expect(namesIn('')).toEqual([])
    expect(namesIn('\ufeffa = 1')).toEqual(['a'])
  })

  it.each([
    ['a = 1\nb', 2],
    ['a =\n', 1],
    ['[a\nb = 1', 1],
    ['a = "x\n', 1],
    ['a = 1\nb = """\nx', 2],
    ['a = [1, 2', 1],
    ['a = 1 "x"', 1],
    ['a = ]', 1],
    ['{ "json": 1 }', 1],
  ])('cannot be told of what is none: %j', (text, line) => {
    expect(namesIn(text)).toBe(line)
  })
})
