/** Checks that change issues: what of it is kept, where, and how often. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { LandOrder } from '../../src/model/api/course.ts'
import type { PruneOrder } from '../../src/model/api/record.ts'
import type { RunEvent } from '../../src/model/event.ts'
import { type House, type HouseOptions, houses } from './host.fixture.ts'
import { eventually, PERSON } from './run.fixture.ts'

const openHouse = houses()
const issue = (title: string, rest = ''): string =>
  `---\ntitle: ${title}\nstatus: Todo\n---\n\nText.\n${rest}`
const FILES = { 'a.txt': 'a\n', 'TODO/1.md': issue('One'), 'TODO/2.md': issue('Two') }
const BRANCH = 'signalbox/issues'
const ROUTES = 'next: done, on: { failed: abandoned }'

/** A house in which one check changes issues. */
const house = (command: string, over: Partial<HouseOptions> = {}): Promise<House> =>
  openHouse({
    files: FILES,
    runbook: `steps: { file: { check: '${command}', issues: write, ${ROUTES} } }`,
    ...over,
  })

const kept = ({ repo }: House, path: string): string => repo.git('show', `${BRANCH}:${path}`)
const log = ({ repo }: House, format = '%s', range = `main..${BRANCH}`): string[] =>
  repo.git('log', '--reverse', `--format=${format}`, range).split('\n').filter(Boolean)

function commit({ repo }: House, path: string, text: string): void {
  repo.write(path, text)
  repo.git('add', '-A')
  repo.git('commit', '-q', '-m', 'by a person')
}

it.concurrent('[W21] what a check changed of issues is committed on a branch of its own, and nothing else is kept', async () => {
  const place = await house(
    'echo more >> TODO/1.md; cp TODO/2.md TODO/3.md; echo spoilt > a.txt; touch new.txt; git status --porcelain',
  )
  const run = await place.start()
  expect(await run.end()).toBe('done')
  const main = place.repo.git('rev-parse', 'main')
  expect(log(place)).toEqual(['chore(todo): file 3; change 1'])
  expect(place.repo.git('diff', '--name-only', `main...${BRANCH}`).split('\n')).toEqual([
    'TODO/1.md',
    'TODO/3.md',
  ])
  expect(kept(place, 'TODO/1.md')).toContain('more')
  expect(log(place, '%(trailers:key=Signalbox-Run,valueonly)')).toEqual([run.id])
  // Neither the base nor the run's branch nor anybody's files.
  expect([main, place.repo.git('status', '--porcelain')]).toEqual([place.repo.git('rev-parse', 'HEAD'), ''])
  expect(run.work.git('rev-parse', 'HEAD')).toBe(main)
  expect(run.work.read('a.txt')).toBe('a\n')
  const changed = await run.until('issues.changed')
  expect(changed).toMatchObject({
    step: 'file',
    issues: ['1', '3'],
    commit: place.repo.git('rev-parse', BRANCH),
  })
  // To git, nothing was changed where the command worked before it began; and then only what is not an issue's.
  expect((await run.until('check.reported')).evidence.output).toBe(' M a.txt\n?? new.txt\n')
})

it.concurrent('[W21] the next run finds what the last ones did, and what people did meanwhile', async () => {
  const place = await house('echo "by $SIGNALBOX_RUN" >> TODO/1.md; cat TODO/*.md')
  const first = await place.start()
  expect(await first.end()).toBe('done')
  commit(place, 'TODO/1.md', issue('One, said better', 'by a person\n'))
  commit(place, 'TODO/9.md', issue('Nine'))
  const second = await place.start()
  expect(await second.end()).toBe('done')
  const { output } = (await second.until('check.reported')).evidence
  for (const text of ['One, said better', 'by a person', `by ${first.id}`, `by ${second.id}`, 'Nine'])
    expect(output).toContain(text)
  expect(kept(place, 'TODO/1.md')).toBe(
    `${issue('One, said better', 'by a person\n')}by ${first.id}\nby ${second.id}\n`.trimEnd(),
  )
  expect(place.repo.git('diff', '--name-only', `main...${BRANCH}`)).toBe('TODO/1.md')
  expect(log(place)).toEqual([
    'chore(todo): change 1',
    'chore(todo): what the base got since',
    'chore(todo): change 1',
  ])
})

it.concurrent('[W21] runs beside each other change issues one after another', async () => {
  const place = await house('n=$(ls TODO | wc -l); sleep 0.05; echo x > TODO/$((n + 1)).md')
  const runs = await Promise.all([1, 2, 3, 4].map(() => place.start()))
  expect(await Promise.all(runs.map((run) => run.end()))).toEqual(['done', 'done', 'done', 'done'])
  expect(place.repo.git('ls-tree', '--name-only', BRANCH, 'TODO/').split('\n')).toHaveLength(6)
  expect(log(place)).toHaveLength(4)
})

it.concurrent('[W22] a run that is discarded, or pruned, keeps what it changed of issues', async () => {
  const place = await house('echo comment >> TODO/1.md')
  const run = await place.start()
  await run.end()
  expect(await place.host().discard(run.id, { by: PERSON, unmerged: true })).toEqual({ discarded: true })
  expect(kept(place, 'TODO/1.md')).toContain('comment')
  const order: PruneOrder = {
    what: 'prune',
    runs: null,
    olderThanMs: null,
    states: null,
    unmerged: 'take',
    reason: '',
    dry: false,
  }
  expect((await place.host().prune(order, PERSON)).runs.map((gone) => gone.run)).toEqual([run.id])
  expect(kept(place, 'TODO/1.md')).toContain('comment')
})

it.concurrent('[W21] a check that ends in a fault changed nothing', async () => {
  const place = await house('echo half >> TODO/1.md; exit 3')
  const run = await place.start()
  expect(await run.end()).toBe('abandoned')
  expect(place.repo.git('branch', '--list', BRANCH)).toBe('')
})

it.concurrent('[W23] what a person and a run said against each other fails the check in words, and both keep it', async () => {
  const place = await house('sh act')
  const act = async (script: string) => {
    commit(place, 'act', `${script}\n`)
    const run = await place.start()
    return { run, end: await run.end() }
  }
  expect((await act('sed -i s/Todo/Done/ TODO/1.md')).end).toBe('done')
  commit(place, 'TODO/1.md', issue('One').replace('Todo', 'In Progress'))
  const { run, end } = await act('echo x >> TODO/1.md')
  expect(end).toBe('abandoned')
  expect(await run.until('visit.left')).toMatchObject({ outcome: 'failed' })
  expect(JSON.stringify(await run.events())).toContain('TODO/1.md was changed by somebody else meanwhile')
  expect(kept(place, 'TODO/1.md')).toContain('status: Done')
  expect(place.repo.read('TODO/1.md')).toContain('In Progress')
  // Other issues are not held up by it.
  expect((await act('echo more >> TODO/2.md')).end).toBe('done')
  expect([kept(place, 'TODO/1.md'), kept(place, 'TODO/2.md')]).toEqual([
    expect.stringContaining('status: Done'),
    expect.stringContaining('more'),
  ])
})

it.concurrent('[W24] an id that a person takes meanwhile is not taken twice: the check is run once more', async () => {
  const place = await house(
    'ids=$(ls "$(git rev-parse --git-common-dir)"/signalbox/issue-ids | wc -l); echo x > TODO/$((3 + ids)).md; sh race',
  )
  const claims = join(place.repo.dir, '.git/signalbox/issue-ids')
  const once = join(place.ground, 'once')
  const race = `[ -e ${once} ] || { touch ${once}; mkdir -p ${claims}; : > ${claims}/3; }\n`
  commit(place, 'race', race)
  const run = await place.start()
  expect(await run.end()).toBe('done')
  expect(place.repo.git('ls-tree', '--name-only', BRANCH, 'TODO/').split('\n')).toEqual([
    'TODO/1.md',
    'TODO/2.md',
    'TODO/4.md',
  ])
  expect(readFileSync(join(claims, '4'), 'utf8')).toBe(
    `${run.id} file ${(await run.until('visit.entered')).visit}\n`,
  )
})

it.concurrent('[K12] killed between the commit and the journal: the command is not run again, and its change is there once', async () => {
  let kills = 2
  const place = await house('sh act', {
    journalOver: (journal) => ({
      ...journal,
      append: async (append) => {
        const isIts = append.events.some(({ data }) => (data as RunEvent).type === 'issues.changed')
        if (!isIts || kills-- <= 0) return journal.append(append)
        throw new Error('killed')
      },
    }),
  })
  const ran = join(place.ground, 'ran')
  commit(place, 'act', `echo $$ | tee -a ${ran} >> TODO/1.md\n`)
  const run = await place.start()
  await eventually(async () => {
    place.clock.advance(10_000)
    return (await run.all('run.ended')).length
  }).toBe(1)
  expect(place.bugs.splice(0).map(String)).toEqual(['Error: killed', 'Error: killed'])
  expect(log(place)).toEqual(['chore(todo): change 1'])
  expect(await run.all('issues.changed')).toHaveLength(1)
  const [pid, ...more] = readFileSync(ran, 'utf8').split('\n')
  expect(more).toEqual([''])
  expect(kept(place, 'TODO/1.md')).toBe(`${issue('One')}${pid}`)
})

it.concurrent('[W21] a branch that somebody has checked out is left alone, and that is told', async () => {
  const place = await house('echo x >> TODO/1.md')
  place.repo.git('branch', BRANCH)
  place.repo.git('worktree', 'add', '-q', join(place.ground, 'seen'), BRANCH)
  const run = await place.start()
  expect(await run.end()).toBe('abandoned')
  expect(JSON.stringify(await run.events())).toContain('is checked out in')
})

const ORDER: LandOrder = { how: 'squash', into: null, unfinished: false, gates: 'put', message: 'Its work' }

it.concurrent('[M10] landing a run brings its changes of issues along, as commits of their own, and no other run’s', async () => {
  const place = await openHouse({
    files: FILES,
    runbook: `
      steps:
        develop: { agent: dev, next: note }
        note: { check: 'echo "$SIGNALBOX_RUN notes" >> TODO/1.md; sed -i s/Todo/Done/ TODO/2.md', issues: write, next: tell }
        tell: { check: 'echo "$SIGNALBOX_RUN tells" >> TODO/1.md', issues: write, next: done }
    `,
    plays: { develop: [[{ write: { path: 'src/code.ts', text: 'better\n' } }]] },
  })
  const waits = await place.start()
  expect(await waits.end()).toBe('done')
  const lands = await place.start()
  expect(await lands.end()).toBe('done')
  const course = place.host().course(PERSON)
  expect(await course.land(lands.id, ORDER)).toMatchObject({ how: 'squash', issues: 2, issuesWait: null })
  expect(log(place, '%s', 'main~3..main')).toEqual([
    'Its work',
    'chore(todo): change 1',
    'chore(todo): change 1',
  ])
  expect(place.repo.git('status', '--porcelain')).toBe('')
  const noted = `${lands.id} notes\n${lands.id} tells\n`
  expect(place.repo.read('TODO/1.md')).toBe(`${issue('One')}${noted}`)
  // The first run had set the status, so the second one's change did not.
  expect(place.repo.read('TODO/2.md')).toContain('Todo')
  // Once more brings nothing, and what a person makes of it now contradicts nobody.
  expect(await course.land(lands.id, ORDER)).toMatchObject({ how: 'nothing', issues: 0 })
  commit(place, 'TODO/1.md', issue('One').replace('Todo', 'In Progress') + noted.replace('tells', 'told'))
  const next = await place.start()
  expect(await next.end()).toBe('done')
  const now = kept(place, 'TODO/1.md').split('\n').slice(-6)
  expect(now.toSorted()).toEqual(
    [
      `${lands.id} notes`,
      `${lands.id} told`,
      ...[waits, next].flatMap(({ id }) => [`${id} notes`, `${id} tells`]),
    ].toSorted(),
  )
  expect(kept(place, 'TODO/1.md')).toContain('In Progress')
  expect((await lands.until('run.landed')).issues).toBe(2)
})
