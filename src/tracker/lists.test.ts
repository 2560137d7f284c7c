import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FILE, lost, trackerWith, withLists } from './folder.fixture.ts'
import type { Issue } from './issue.ts'
import { findingOutdatedLists } from './lists.ts'
import { inDependencyOrder } from './order.ts'
import { bareLine, linesOf } from './text-lines.ts'
import { wholeOf } from './tracker.ts'

const issue = (fields: string, body = ''): string => `---\n${fields}\n---\n${body}`
const blockIn = (text = ''): string[] =>
  (/[<]!-- signalbox:[\w-]+ -->\n([\s\S]*)[<]!-- [/]/.exec(text)?.[1] ?? '')
    .split('\n')
    .filter((line) => line !== '')

describe('the list of sub-issues', () => {
  it('[I11] is in the order of dependencies, each below the last one it waits for', () => {
    const { files } = withLists(
      trackerWith({
        'P.md': '# Parent\n\nText\n\n## Comments\n\n### 2026-01-01, x\n\nHi\n',
        '1.md': issue('title: One\nparent: P\nstatus: Done'),
        '2.md': issue('title: Two\nparent: P\ndepends-on: [10]'),
        '3.md': issue('title: Three\nparent: P\ndepends-on: [1, 4]'),
        '4.md': issue('title: Four\nparent: P\ndepends-on: [1, X]'),
        '10.md': issue('title: Ten\nparent: P'),
        'X.md': issue('title: Elsewhere'),
      }),
    )
    expect(files.get('P.md')).toBe(
      [
        '# Parent\n\nText\n\n## Sub-issues\n',
        '<!-- signalbox:sub-issues -->\n',
        '- [1](1.md) One · Done',
        '  - ↳ [4](4.md) Four · Todo',
        '    - ↳ [3](3.md) Three · Todo',
        '- [10](10.md) Ten · Todo',
        '  - ↳ [2](2.md) Two · Todo\n',
        '<!-- /signalbox:sub-issues -->\n',
        '## Comments\n\n### 2026-01-01, x\n\nHi\n',
      ].join('\n'),
    )
  })

  it('[I11] leaves what people wrote around it', () => {
    const mine = '# P\n\n## Sub-issues\n\nMy own words.\n\n- mine\n\n## After\n'
    const once = withLists(trackerWith({ 'P.md': mine, '1.md': issue('parent: P') }))
    expect(once.files.get('P.md')).toBe(
      mine.replace(
        '- mine\n',
        '- mine\n\n<!-- signalbox:sub-issues -->\n\n- [1](1.md) 1 · Todo\n\n<!-- /signalbox:sub-issues -->\n',
      ),
    )
    expect(wholeOf(findingOutdatedLists(once)).size).toBe(0)
    const { files } = withLists(
      trackerWith({ ...Object.fromEntries(once.files), '1.md': issue('title: Gone elsewhere') }),
    )
    expect(files.get('P.md')).toBe(
      mine.replace('- mine\n', '- mine\n\n<!-- signalbox:sub-issues -->\n<!-- /signalbox:sub-issues -->\n'),
    )
  })

  it('[I11] tells circles instead of losing them', () => {
    const { files } = withLists(
      trackerWith({
        'P.md': '',
        '1.md': issue('parent: P\ndepends-on: [2]'),
        '2.md': issue('parent: P\ndepends-on: [1]'),
        '3.md': issue('parent: P\ndepends-on: [2]'),
      }),
    )
    expect(blockIn(files.get('P.md'))).toEqual([
      '- ↻ [1](1.md) 1 · Todo',
      '- ↻ [2](2.md) 2 · Todo',
      '- ↻ [3](3.md) 3 · Todo',
    ])
  })
})

describe('the index', () => {
  const index = (files: Record<string, string>): string =>
    withLists(trackerWith(files)).files.get('README.md') ?? ''

  it('[I11] has what is part of nothing else, by category', () => {
    expect(
      index({
        '1.md': issue('title: One\ncategory: Web'),
        '2.md': issue('title: Two\ncategory: Parser\nstatus: In Progress\ndepends-on: [3]'),
        '3.md': issue('title: Three\ncategory: Parser'),
        '4.md': issue('title: Four\nparent: 1'),
        '5.md': issue('title: Five\nparent: 99'),
      }),
    ).toBe(
      [
        '# Issues\n\nWhat stands between the two remarks is written by `signalbox issue`, anew with every change. The rest is yours.\n',
        '<!-- signalbox:index -->\n',
        '## Parser\n',
        '- [3](3.md) Three · Todo',
        '  - ↳ [2](2.md) Two · In Progress\n',
        '## Web\n',
        '- [1](1.md) One · Todo\n',
        '## Without a category\n',
        '- [5](5.md) Five · Todo\n',
        '<!-- /signalbox:index -->\n',
      ].join('\n'),
    )
  })

  it('[I11] stands where its remarks are, in a README of any kind, or not at all', () => {
    const mine =
      '\ufeffBefore\r\n<!-- signalbox:index -->\r\n- [9](9.md) Old · Todo\r\n<!-- /signalbox:index -->\r\nAfter'
    expect(index({ 'README.md': mine, '1.md': '' })).toBe(
      '\ufeffBefore\r\n<!-- signalbox:index -->\r\n\r\n- [1](1.md) 1 · Todo\r\n\r\n<!-- /signalbox:index -->\r\nAfter',
    )
    expect(index({ 'README.md': 'a\n<!-- signalbox:no-index -->\n', '1.md': '' })).toBe(
      'a\n<!-- signalbox:no-index -->\n',
    )
    expect(index({ 'README.md': 'a\n<!-- signalbox:index -->\nlost its end\n', '1.md': '' })).toBe(
      'a\n<!-- signalbox:index -->\n\n- [1](1.md) 1 · Todo\n\n<!-- /signalbox:index -->\nlost its end\n',
    )
    expect(index({})).toBe('')
  })

  it('[I3] is not led astray by titles, statuses or categories', () => {
    const evil = JSON.stringify('x](http://evil) <!-- /signalbox:index -->\n# Y \u202e')
    const text = index({ '1.md': issue(`title: ${evil}\nstatus: ${evil}\ncategory: ${evil}`) })
    expect(text.split('\n').filter((line) => /(^|[^\\])<!--/.test(line))).toHaveLength(2)
    expect(text).toContain('- [1](1.md) x\\](http://evil) \\<!-- /signalbox:index --> # Y · x')
  })

  it('[I11] is told of parts that go in a circle', () => {
    expect(
      blockIn(index({ '1.md': issue('parent: 2'), '2.md': issue('parent: 1'), '3.md': issue('parent: 3') })),
    ).toHaveLength(3)
  })
})

describe('whatever the files', () => {
  it('[I11] lists are made once, take nothing away but lists, and change what no issue says', () => {
    fc.assert(
      fc.property(FILE, FILE, fc.boolean(), (whole, index, isPart) => {
        const part = issue(isPart ? 'parent: P' : 'title: Another')
        const before = trackerWith({ 'P.md': whole, 'README.md': index, '1.md': part })
        const after = withLists(before)
        expect(wholeOf(findingOutdatedLists(after)).size).toBe(0)
        for (const [name, text] of before.files) {
          const gone = lost(linesOf(text), linesOf(after.files.get(name) ?? ''))
          const block = /signalbox:[\w-]+ -->\r?\n([\s\S]*?)[<]!-- [/]signalbox/.exec(text)?.[1] ?? ''
          for (const line of gone.filter((each) => each.endsWith('\n')))
            expect(
              [...linesOf(block), '<!-- signalbox:sub-issues -->', '<!-- /signalbox:sub-issues -->'].map(
                bareLine,
              ),
            ).toContain(bareLine(line))
        }
        const said = ({ criteria, comments, status, title }: Issue) => ({ criteria, comments, status, title })
        const [was, is] = [before.byId.get('P'), after.byId.get('P')]
        expect(is && said(is)).toEqual(was && said(was))
      }),
      { numRuns: 300 },
    )
  })
})

describe('the order of dependencies', () => {
  it('[I11] has everybody once, and after all that they wait for', () => {
    const graph = fc.array(fc.array(fc.nat(14), { maxLength: 4 }), { maxLength: 15 })
    fc.assert(
      fc.property(graph, (needs) => {
        const { issues } = trackerWith(
          Object.fromEntries(needs.map((of, id) => [`${id}.md`, issue(`depends-on: [${of.join(', ')}]`)])),
        )
        const order = inDependencyOrder(issues)
        expect(order.map(({ issue: { id } }) => id).toSorted()).toEqual(issues.map(({ id }) => id).toSorted())
        const place = new Map(order.map(({ issue: { id } }, at) => [id, at]))
        for (const { issue: each, isInCircle, depth } of order) {
          const here = each.dependsOn.filter((id) => place.has(id))
          if (!isInCircle) for (const id of here) expect(place.get(id)).toBeLessThan(place.get(each.id) ?? 0)
          if (!isInCircle) expect(depth > 0).toBe(here.length > 0)
        }
      }),
    )
  })

  it('[I11] is soon found in a folder of two thousand, however they hang together', () => {
    const shapes: ((n: number) => string)[] = [
      (n) => `depends-on: [${n - 1}]\nparent: ${n - 1}`,
      (n) => `depends-on: [0]\nparent: 0\ntitle: ${n}`,
      (n) => `depends-on: [${(n + 1) % 2000}]\nparent: ${(n + 1) % 2000}`,
      (n) =>
        `depends-on: [${Array.from({ length: 20 }, (_, each) => n + each - 20).join(', ')}]\ncategory: C${n % 50}`,
    ]
    for (const shape of shapes) {
      const files = Object.fromEntries(
        Array.from({ length: 2000 }, (_, n) => [`${n}.md`, issue(shape(n), 'Text.\n'.repeat(20))]),
      )
      const begun = performance.now()
      const tracker = withLists(trackerWith(files))
      expect(wholeOf(findingOutdatedLists(tracker)).size).toBe(0)
      // Many times what it takes, and far from what going through all for each would.
      expect(performance.now() - begun).toBeLessThan(5000)
    }
  })
})
