/** What an agent may touch: files, branch and history. */
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { houses } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()
const good = { answer: { decision: 'good' }, via: 'file' } as const
const write = (path: string, text = 'x\n') => ({ write: { path, text } })

const REVIEW = `
  agents: { check: { writes: [] }, dev: { writes: ['src/**'] } }
  steps:
    review: { agent: check, nudges: 1, options: { good: done, poor: abandoned }, on: { out_of_bounds: abandoned } }
`

it.concurrent('[W3] undoes what a reader wrote, keeps it as a patch, tells it, and the second time it is a fault', async () => {
  const house = await openHouse({
    runbook: REVIEW,
    plays: { review: [[write('a.txt'), write('new/file.txt'), good]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('abandoned')
  const held = await run.all('boundary.held')
  expect(held.map(({ files }) => files)).toEqual([
    ['a.txt', 'new/file.txt'],
    ['a.txt', 'new/file.txt'],
  ])
  expect(await run.kept(held[0]!.patch)).toContain('+++ b/new/file.txt')
  expect(run.prompts()[1]).toContain('You changed files outside your boundary')
  expect(run.prompts()[1]).toContain('- new/file.txt')
  expect((await run.until('member.faulted')).fault).toBe('out_of_bounds')
  expect([run.work.read('a.txt'), run.work.has('new')]).toEqual(['a\n', false])
  expect(await run.all('work.committed')).toEqual([])
})

it.concurrent('undoes what was committed outside as well, and keeps what lies inside', async () => {
  const commit = 'git add -A && git -c user.name=x -c user.email=x@x commit -qm mine'
  const house = await openHouse({
    runbook: `
      agents: { dev: { writes: ['src/**'] } }
      steps: { develop: { agent: dev, options: { good: done, poor: abandoned } } }
    `,
    plays: { develop: [[write('src/in.ts'), write('docs/out.md'), { run: commit }, good], [good]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect((await run.until('boundary.held')).files).toEqual(['docs/out.md'])
  expect(run.work.git('diff', '--name-only', house.repo.git('rev-parse', 'main'), 'HEAD')).toBe('src/in.ts')
})

it.concurrent('[W4] puts the branch back that an agent left or rewrote, and says so', async () => {
  const house = await openHouse({
    runbook: `
      steps:
        first: { agent: dev, next: second }
        second: { agent: dev, next: third }
        third: { agent: dev, next: done }
    `,
    plays: {
      first: [[write('one.txt')]],
      second: [[{ run: 'git checkout -q -b elsewhere' }, write('two.txt')]],
      third: [[{ run: 'git reset -q --hard HEAD~1' }, write('three.txt')]],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const notes = (await run.all('host.noted')).map(({ text }) => text)
  expect(notes[0]).toContain('second: elsewhere was checked out; the branch was put back.')
  expect(notes[1]).toContain('third: commits of the run were rewritten or dropped; the branch was put back.')
  const branch = (await run.until('run.placed')).placement.branch
  expect(run.work.git('symbolic-ref', '--short', 'HEAD')).toBe(branch)
  expect(run.work.git('log', '--format=%s', 'main..HEAD').split('\n')).toHaveLength(3)
  expect(run.work.has('three.txt')).toBe(true)
})

it.concurrent('never blames one agent for what another left when it was stopped', async () => {
  const house = await openHouse({
    runbook: `
      agents: { check: { writes: [] }, dev: { writes: ['src/**'] } }
      steps:
        develop: { agent: dev, next: review, on: { failed: review } }
        review: { agent: check, options: { good: done, poor: abandoned } }
    `,
    plays: {
      develop: [
        [
          write('src/half.ts'),
          write('a.txt', 'spoilt\n'),
          write('.signalbox/run/why.md', 'because'),
          { crash: 3 },
        ],
      ],
      review: [[good]],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect((await run.until('member.faulted')).fault).toBe('failed')
  const held = await run.all('boundary.held')
  expect(held.map(({ step, files }) => [step, files])).toEqual([['develop', ['a.txt']]])
  expect(await run.until('artifact.kept')).toMatchObject({ step: 'develop', name: 'why.md' })
  expect(run.work.has('src/half.ts')).toBe(true)
  expect(await run.all('answer.refused')).toEqual([])
})

it.concurrent('takes in what an agent left that a person took away from its work', async () => {
  const house = await openHouse({
    runbook: `
      agents: { check: { writes: [] }, dev: { writes: ['src/**'] } }
      steps:
        develop: { agent: dev, next: review }
        review: { agent: check, options: { good: done, poor: abandoned } }
    `,
    plays: {
      develop: [[write('src/moved.ts'), write('a.txt', 'spoilt\n'), { hang: true }]],
      review: [[good]],
    },
  })
  const run = await house.start()
  await eventually(() => run.work.has('a.txt') && run.work.read('a.txt')).toBe('spoilt\n')
  await run.tell({ type: 'run.move', to: 'review', reason: 'enough' })
  expect(await run.end()).toBe('done')
  expect((await run.all('boundary.held')).map(({ step, files }) => [step, files])).toEqual([
    ['develop', ['a.txt']],
  ])
  expect(run.work.git('show', '--name-only', '--format=%s', 'HEAD')).toContain('src/moved.ts')
  expect(await run.all('answer.refused')).toEqual([])
})

it.concurrent('[A16] holds work that was broken off to what was looked up for it, though that is forgotten by then', async () => {
  const task = (files: string[]) => ({ answer: { handoff: { files } }, via: 'file' }) as const
  const house = await openHouse({
    runbook: `
      agents: { lead: { writes: [] }, dev: { writes: '\${steps.task.files}' } }
      budgets: { replan: 1 }
      handoffs: { task: { fields: { files: { type: list, required: true } } } }
      steps:
        task: { agent: lead, gives: task, next: build }
        build:
          agent: dev
          time: 1h
          next: done
          on: { timed_out: { to: task, spend: replan, forget: true, then: abandoned } }
    `,
    plays: {
      task: [[task(['src/**'])]],
      'build#1': [[write('src/half.ts'), write('a.txt', 'spoilt\n'), { hang: true }]],
      'build#2': [[{ say: 'FINISHED' }]],
    },
  })
  const run = await house.start()
  await eventually(() => run.work.has('a.txt') && run.work.read('a.txt')).toBe('spoilt\n')
  house.clock.advance(60 * 60_000)
  expect(await run.end()).toBe('done')
  expect((await run.all('boundary.held')).map(({ step, files }) => [step, files])).toEqual([
    ['build', ['a.txt']],
  ])
  expect(run.work.git('log', '--format=%s', '--', 'src/half.ts')).toBe('build: work that was broken off')
})

const ONLY_TESTS = `'grep -q "^+.*production" && { echo "tests only, please"; exit 1; } || exit 0'`

it.concurrent('[A18] puts the patch to the agent’s judge, and tells it in the judge’s words what was refused', async () => {
  const house = await openHouse({
    runbook: `
      agents: { dev: { judge: ${ONLY_TESTS} } }
      steps: { develop: { agent: dev, options: { good: done, poor: abandoned } } }
    `,
    plays: {
      develop: [
        [write('src/a.ts', 'production\n'), write('new.txt'), good],
        [{ run: 'git apply .signalbox/run/refused-*.patch && echo test > src/a.ts' }, good],
      ],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const held = await run.until('boundary.held')
  expect(held.files).toEqual(['new.txt', 'src/a.ts'])
  expect(await run.kept(held.patch)).toContain('+production')
  const [, second] = run.prompts()
  expect(second).toContain('tests only, please')
  expect(second).toMatch(/git apply \.signalbox\/run\/refused-[0-9a-f]{8}\.patch/)
  expect(run.work.git('show', '--format=', '--name-only', 'HEAD')).toBe('new.txt\nsrc/a.ts')
  expect(run.work.git('log', '-p')).not.toContain('production')
})

it.concurrent('[A18] a patch cannot change its own judge, nor hide behind its length', async () => {
  const house = await openHouse({
    files: { 'a.txt': 'a\n', 'judge.sh': 'if grep -q "^+backdoor"; then echo no; exit 1; fi\n' },
    runbook: `
      agents: { dev: { judge: sh judge.sh } }
      steps: { develop: { agent: dev, nudges: 1, options: { good: done, poor: abandoned }, on: { out_of_bounds: abandoned } } }
    `,
    plays: {
      develop: [
        [write('judge.sh', 'exit 0\n'), write('z.txt', 'backdoor\n'), good],
        [write('b.txt', 'x\n'.repeat(2 ** 20)), write('z.txt', 'backdoor\n'), good],
      ],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('abandoned')
  expect((await run.until('member.faulted')).detail).toContain('no')
  expect([run.work.read('judge.sh').length > 10, run.work.has('z.txt')]).toEqual([true, false])
})

it.concurrent('[A18] a judge that cannot judge is a failure, and nothing passes because of it', async () => {
  const house = await openHouse({
    runbook: `
      agents: { dev: { judge: ./no-such-judge } }
      steps: { develop: { agent: dev, options: { good: done, poor: abandoned }, on: { failed: abandoned } } }
    `,
    plays: { develop: [[write('src/a.ts'), good]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('abandoned')
  expect((await run.until('member.faulted')).detail).toContain('The judge could not judge')
})

it.concurrent('[A18] a judge that lacks what setup makes has not judged', async () => {
  const house = await openHouse({
    files: { 'a.txt': 'a\n', 'lock.txt': 'exit 0\n', '.gitignore': 'tools\n' },
    runbook: `
      setup: { run: 'mkdir tools && cp lock.txt tools/judge', needs: [lock.txt] }
      agents: { dev: { judge: sh tools/judge } }
      steps:
        spoil: { agent: dev, options: { good: develop, poor: abandoned } }
        develop: { agent: dev, options: { good: done, poor: abandoned }, on: { failed: abandoned } }
    `,
    plays: { spoil: [[{ run: 'git rm -q lock.txt' }, good]], develop: [[write('src/a.ts'), good]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('abandoned')
  expect((await run.until('member.faulted')).detail).toContain('(sh tools/judge): setup failed.')
  expect(await run.all('boundary.held')).toEqual([])
})

it.concurrent('[A18] a host that closes while a judge is at work has no fault to tell', async () => {
  const house = await openHouse({
    runbook: `
      agents: { dev: { judge: 'echo begun >> "$BEGUN"; test -e "$BEGUN.go" || sleep 600' } }
      steps: { develop: { agent: dev, options: { good: done, poor: abandoned }, on: { failed: abandoned } } }
    `,
    environment: (ground) => ({ BEGUN: join(ground, 'begun') }),
    rules: { env: ['BEGUN'] },
    plays: { develop: [[write('src/a.ts'), good]] },
  })
  const begun = join(house.ground, 'begun')
  const run = await house.start()
  await expect.poll(() => existsSync(begun), { timeout: 30_000 }).toBe(true)
  await house.restart(() => writeFileSync(`${begun}.go`, ''))
  expect(await run.end()).toBe('done')
  expect(await run.all('member.faulted')).toEqual([])
})
