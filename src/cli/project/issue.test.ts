/** Issues of a real repository, from the command line. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { createRepository, temporaryFolder } from '../../host/workspace/repository.fixture.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import { issueList, issueNew, issueShow } from './issue.ts'

const FILES = {
  '.signalbox/issues/1.md': '---\ntitle: First\nstatus: Done\n---\nDo it.\n',
  '.signalbox/issues/2.md':
    '---\ntitle: The second one\nstatus: Doing\ndepends-on: [1]\nparent: 1\nlabels: [ui, small]\n---\n\n# What\n\nAll\u001B[2J of it.\n',
  '.signalbox/issues/10.md': '---\ntitle: Tenth\ndepends-on: [1, 2, 99]\n---\n',
}

async function ran(act: (terminal: ReturnType<typeof openPaper>['terminal']) => Promise<number>) {
  const paper = openPaper()
  const code = await act(paper.terminal)
  return { code, out: paper.out(), err: paper.err() }
}

describe('signalbox issue list', () => {
  it('lists them in order, in columns, with what they wait for', async () => {
    const { dir } = createRepository(FILES)
    const { code, out } = await ran((terminal) => issueList({}, terminal, { dir }))
    expect(code).toBe(0)
    expect(out).toBe(
      [
        'ISSUE  STATUS  WAITS FOR  TITLE',
        '1      Done    ·          First',
        '2      Doing   ·          The second one',
        '10     Todo    2, 99      Tenth',
        '',
      ].join('\n'),
    )
  })

  it('--json says the same', async () => {
    const { dir } = createRepository(FILES)
    const { out } = await ran((terminal) => issueList({ json: true }, terminal, { dir }))
    const { issues, problems } = JSON.parse(out)
    expect(problems).toEqual([])
    expect(issues[1]).toMatchObject({
      id: '2',
      status: 'Doing',
      dependsOn: ['1'],
      labels: ['ui', 'small'],
      waitsFor: [],
    })
    expect(issues[2].waitsFor.map(({ id }: { id: string }) => id)).toEqual(['2', '99'])
  })

  it('tells of files that are no issues, and fails', async () => {
    const { dir } = createRepository({ ...FILES, '.signalbox/issues/3.md': '---\nopen\n' })
    const { code, out } = await ran((terminal) => issueList({}, terminal, { dir }))
    expect(code).toBe(1)
    expect(out).toMatch(/^10 +Todo/m)
    expect(out).toMatch(/^✗ \.signalbox\/issues\/3\.md, line 1: /m)
  })

  it('says how to begin', async () => {
    const { dir } = createRepository()
    expect(await ran((terminal) => issueList({}, terminal, { dir }))).toMatchObject({
      code: 0,
      out: 'No issues yet. signalbox issue new "TITLE" writes one.\n',
    })
  })
})

describe('signalbox issue show', () => {
  const show = (dir: string, id: string, json = false) =>
    ran((terminal) => issueShow(id, { json }, { terminal, dir }))

  it('shows all of one, and moves no cursor', async () => {
    const { dir } = createRepository(FILES)
    const { code, out } = await show(join(dir, '.signalbox'), '2')
    expect(code).toBe(0)
    expect(out).toBe(
      [
        '2  The second one',
        '  status      Doing',
        '  depends on  1',
        '  part of     1',
        '  labels      ui, small',
        '  file        .signalbox/issues/2.md',
        '',
        '# What',
        '',
        'All [2J of it.',
        '',
      ].join('\n'),
    )
  })

  it('tells what it waits for', async () => {
    const { dir } = createRepository(FILES)
    expect((await show(dir, '10')).out).toMatch(/^ {2}waits +2 is Doing; 99 has no file that can be read$/m)
    const { waitsFor, title } = JSON.parse((await show(dir, '10', true)).out)
    expect(title).toBe('Tenth')
    expect(waitsFor).toHaveLength(2)
  })

  it('tells of one that is not there, with a near one', async () => {
    const { dir } = createRepository({ 'TODO/APP-12.md': '# Twelve' })
    const { code, out, err } = await show(dir, 'APP-21')
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toMatch(/^error: There is no issue APP-21: .* Did you mean APP-12\?\n$/)
    expect((await show(dir, '../x')).err).toMatch(/is not the id of an issue/)
  })
})

describe('signalbox issue new', () => {
  it('files an issue under the next number', async () => {
    const repo = createRepository(FILES)
    const { code, out } = await ran((terminal) =>
      issueNew('A new: one', { body: 'Do it well.' }, { terminal, dir: repo.dir }),
    )
    expect({ code, out }).toEqual({ code: 0, out: '✓ 11  A new: one  .signalbox/issues/11.md\n' })
    expect(repo.read('.signalbox/issues/11.md')).toMatch(/title: "A new: one"[\s\S]*\n\nDo it well\.\n$/)
  })

  it('takes the body from a file or from standard input', async () => {
    const repo = createRepository({ 'body.md': 'From a file.\n' })
    const file = await ran((terminal) =>
      issueNew('One', { file: 'body.md', json: true }, { terminal, dir: repo.dir }),
    )
    expect(JSON.parse(file.out)).toMatchObject({ id: '1', title: 'One', body: 'From a file.' })
    const piped = await ran((terminal) =>
      issueNew('Two', { file: '-' }, { terminal, dir: repo.dir, input: Readable.from(['From ', 'a pipe.']) }),
    )
    expect(piped.code).toBe(0)
    expect(repo.read('.signalbox/issues/2.md')).toContain('From a pipe.')
  })

  it.each([
    ['no title', ' ', {}, 1, /needs a title/],
    ['two bodies', 'T', { body: 'a', file: 'b' }, 2, /not from both/],
    ['a file that is not there', 'T', { file: 'gone.md' }, 1, /gone\.md does not exist/],
  ])('refuses %s', async (_what, title, options, code, says) => {
    const { dir } = createRepository()
    const result = await ran((terminal) => issueNew(title, options, { terminal, dir }))
    expect(result.code).toBe(code)
    expect(result.err).toMatch(says)
  })
})

describe('signalbox issue', () => {
  it('needs a repository', async () => {
    const dir = temporaryFolder()
    const { code, err } = await ran((terminal) => issueList({}, terminal, { dir }))
    expect(code).toBe(1)
    expect(err).toMatch(/is not in a git repository/)
  })

  it('tells of a folder in the place of an issue', async () => {
    const { dir } = createRepository(FILES)
    mkdirSync(join(dir, '.signalbox/issues/4.md'))
    const { code, out } = await ran((terminal) => issueList({}, terminal, { dir }))
    expect(code).toBe(1)
    expect(out).toMatch(/✗ \.signalbox\/issues\/4\.md cannot be read/)
  })
})
