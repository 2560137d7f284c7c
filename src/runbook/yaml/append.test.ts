import { describe, expect, it } from 'vitest'
import { appendItem } from './append.ts'

const item = { name: 'new', when: { kind: 'a', options: ['x', 'y'] }, answer: '@retry', until: '2027-01-31' }
const append = (text: string, comment = 'Why.') => appendItem(text, { key: 'policies', item, comment })

const ADDED = `# Why.
  - name: new
    when: { kind: a, options: [ x, y ] }
    answer: "@retry"
    until: 2027-01-31
`

describe('an item is appended', () => {
  it('to nothing', () => {
    expect(append('')).toBe(`policies:\n  ${ADDED}`)
    expect(append('', '')).toBe(`policies:\n  ${ADDED.replace('# Why.\n  ', '')}`)
  })

  it('below comments that are all there is', () => {
    expect(append('# Mine.')).toBe(`# Mine.\npolicies:\n  ${ADDED}`)
  })

  it('to a list, with everything else as it was', () => {
    const before = `# My rules.
policies: # in order
  # The first.
  - name: first # mine
    when: { kind: b }   
    answer: 'x'

  - { name: second, until: 2027-01-01 }
# The end.
`
    const after = append(before)!
    for (const kept of ['# My rules.', '# in order', '# The first.', '# mine', "answer: 'x'", '# The end.'])
      expect(after).toContain(kept)
    expect(after).toContain('- { name: second, until: 2027-01-01 }')
    expect(after).toContain(`\n\n  ${ADDED}`)
  })

  it.each([['policies:\n'], ['policies: []\n'], ['other: 1\n']])('where the list is empty: %j', (text) => {
    expect(append(text)).toContain(`policies:\n  ${ADDED}`)
  })

  it('with what is long part by part', () => {
    const says = ['question: Shall I?', `label yes: ${'long '.repeat(40).trim()}`]
    const long = { name: 'new', when: { kind: 'a', options: ['x', 'y'], says } }
    expect(appendItem('', { key: 'policies', item: long, comment: '' })).toBe(
      `policies:\n  - name: new\n    when:\n      kind: a\n      options: [ x, y ]\n      says:\n${says
        .map((each) => `        - "${each}"\n`)
        .join('')}`,
    )
  })

  it('in as many lines as it says', () => {
    expect(append('', 'One.\nTwo: #3')).toContain('  # One.\n  # Two: #3\n')
  })
})

it.each([['a: ['], ['policies: 5'], ['- a'], ['text']])('%j is left alone', (text) => {
  expect(append(text)).toBeNull()
})
