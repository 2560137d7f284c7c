/** What is believed is what we ran ourselves. */
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { type LogLine, logFile } from '../../src/host/machine/log.ts'
import { houses } from './host.fixture.ts'
import { eventually } from './run.fixture.ts'

const openHouse = houses()
const write = (path: string, text: string) => ({ write: { path, text } })

it.concurrent('[W5] sends the agent back in the same session, with what the gate printed', async () => {
  const house = await openHouse({
    runbook: `
      agents: { dev: { prime: { signal: echo remember the tests } } }
      steps: { develop: { agent: dev, prompt: Mend it, gate: 'exec 2>&1; echo "1 of 2 failed" >&2; cat a.txt; grep -q mended a.txt', next: done } }
    `,
    plays: {
      develop: [[write('a.txt', 'broken\n'), { say: 'All tests pass.' }], [write('a.txt', 'mended\n')]],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const [failed] = await run.all('gate.failed')
  const [passed] = await run.all('gate.passed')
  expect(failed?.evidence).toMatchObject({ exitCode: 1, output: '1 of 2 failed\nbroken\n' })
  expect(passed?.evidence).toMatchObject({ exitCode: 0, commit: run.work.git('rev-parse', 'HEAD') })
  expect(passed?.evidence.diffstat).toContain('a.txt | 2 +-')
  expect(failed?.evidence.commit).toBe(run.work.git('rev-parse', 'HEAD~1'))
  expect(await run.all('session.opened')).toHaveLength(1)
  const [, second] = run.prompts()
  expect(run.prompts()).toHaveLength(2)
  expect(second).toContain('the gate failed with exit code 1')
  expect(second).toContain('1 of 2 failed\nbroken')
  expect(second).toContain('remember the tests')
  expect(second).not.toContain('Mend it')
})

it.concurrent('[D13] an agent that compacted its context is reminded with the next prompt, once', async () => {
  const house = await openHouse({
    runbook: `
      agents: { dev: { prime: { compact: echo what matters here } } }
      steps: { develop: { agent: dev, prompt: Mend it, gate: grep -q mended a.txt, next: done } }
    `,
    plays: {
      develop: [
        [write('a.txt', 'broken\n'), { compact: true }],
        [write('a.txt', 'still broken\n')],
        [write('a.txt', 'mended\n')],
      ],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect(run.prompts().map((prompt) => prompt.includes('what matters here'))).toEqual([false, true, false])
})

it.concurrent('[D13] and is reminded all the same where that prompt failed on its way', async () => {
  let failures = 1
  const house = await openHouse({
    runbook: `
      agents: { dev: { prime: { compact: 'echo $((6 * 7)) things matter' } } }
      steps: { develop: { agent: dev, prompt: Mend it, gate: grep -q mended a.txt, next: done } }
    `,
    plays: { develop: [[write('a.txt', 'broken\n'), { compact: true }], [write('a.txt', 'mended\n')]] },
    journalOver: (journal) => ({
      ...journal,
      append: async (append) => {
        const isIts = (bytes: Uint8Array) => new TextDecoder().decode(bytes).includes('42 things matter')
        if (failures > 0 && append.keep?.some(isIts)) {
          failures--
          throw new Error('the disk is full')
        }
        return journal.append(append)
      },
    }),
  })
  const run = await house.start()
  await eventually(() => house.bugs.map(String)).toEqual(['Error: the disk is full'])
  house.bugs.length = 0
  // The duty comes again a while after.
  await eventually(async () => {
    house.clock.advance(10_000)
    return run.prompts().length
  }).toBe(2)
  expect(await run.end()).toBe('done')
  expect(await run.all('session.opened')).toHaveLength(1)
  expect(run.prompts().map((prompt) => prompt.includes('42 things matter'))).toEqual([false, true])
})

it.concurrent('is logged by whole lines, however slowly they were written', async () => {
  const slowly =
    'printf "mktemp: "; sleep 0.2; echo oh >&2; sleep 0.2; printf "failed\\n\\nto"; sleep 0.2; printf " create"'
  const house = await openHouse({
    runbook: `
      steps:
        develop: { agent: dev, gate: { run: ${JSON.stringify(slowly)}, expect: none }, next: look }
        look: { check: ${JSON.stringify(slowly)}, next: done }
    `,
    plays: { develop: [[write('a.txt', 'b\n')]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  const said = ['oh', 'mktemp: failed', 'to create']
  const logged = (): string[] =>
    readFileSync(logFile(house.home.logs, run.id), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as LogLine)
      .filter(({ kind }) => kind === 'output')
      .map(({ who, text }) => `${who}: ${text}`)
      .toSorted()
  // Two pipes have no common order.
  const expected = ['gate', 'check'].flatMap((who) => said.map((line) => `${who}: ${line}`))
  await eventually(logged).toEqual(expected.toSorted())
})

it.concurrent('that takes too long is stopped, with everything it started, and counts as failed', async () => {
  const house = await openHouse({
    runbook: `
      steps:
        develop:
          agent: dev
          gate: { run: 'echo begun; sleep 60 & sleep 60', time: 1s, max: 0, expect: none }
          next: done
          on: { failed: abandoned }
    `,
    plays: { develop: [[write('a.txt', 'b\n')]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('abandoned')
  const { detail } = await run.until('member.faulted')
  expect(detail).toContain('begun')
  expect(detail).toContain('It was stopped: it took longer than it may.')
  await eventually(() => house.running()).toEqual([])
})

it.concurrent('that keeps failing is a fault, and the agent’s own word is no evidence', async () => {
  const house = await openHouse({
    runbook: `
      steps:
        develop: { agent: dev, gate: { run: 'exit 3', max: 1 }, options: { ready: done }, on: { failed: abandoned } }
    `,
    plays: { develop: [[{ answer: { decision: 'ready', notes: 'commit 123, all green' }, via: 'file' }]] },
  })
  const run = await house.start()
  expect(await run.end()).toBe('abandoned')
  expect((await run.all('gate.failed')).map(({ evidence }) => evidence.exitCode)).toEqual([3])
  expect(await run.all('gate.passed')).toEqual([])
  expect(run.prompts()).toHaveLength(2)
})

it.concurrent('as a step of its own answers by exit code or JSON, and what it changed is committed', async () => {
  const house = await openHouse({
    runbook: `
      steps:
        format: { check: 'echo tidy > "a b.txt"; exit 4', writes: ['**'], options: { clean: { to: done, exit: 0 }, changed: { to: count, exit: other } } }
        count: { check: 'echo noise; echo "{\\"size\\": \\"small\\"}"', answers: json, asks: size, options: { small: slow, large: abandoned } }
        slow: { check: sleep 60, time: 1s, next: abandoned, on: { timed_out: done } }
    `,
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect((await run.all('visit.left')).map(({ outcome }) => outcome)).toEqual([
    'changed',
    'small',
    'timed_out',
  ])
  expect(await run.until('work.committed')).toMatchObject({ step: 'format', visit: 1 })
  expect(run.work.git('show', '--stat', '--format=%s', 'HEAD')).toContain('a b.txt')
  expect(run.work.git('log', '-1', '--format=%B')).toContain(`Signalbox-Run: ${run.id}`)
  await eventually(() => house.running()).toEqual([])
})

it.concurrent('shows a person what its commands found, also how they failed', async () => {
  const house = await openHouse({
    runbook: `
      steps:
        develop: { agent: dev, next: sign_off }
        sign_off:
          decide: Ship it?
          context: { changes: { run: 'git diff \${run.base}...HEAD --stat' }, odd: { run: 'echo oh; exit 2' } }
          options: { ship: done, drop: abandoned }
    `,
    plays: { develop: [[write('a.txt', 'b\n')]] },
  })
  const run = await house.start()
  const { headline, context } = await run.question()
  expect(headline).toBe('Ship it?')
  expect(context['changes']).toContain('a.txt | 2 +-')
  expect(context['odd']).toBe('oh\n(exit code 2)')
  await run.answer({ decision: 'ship' })
  expect(await run.end()).toBe('done')
})

it.concurrent('[U8] people see what was changed between any two of its commits, and of no other', async () => {
  const house = await openHouse({
    runbook: `
      steps: { develop: { agent: dev, prompt: Mend it, gate: grep -q mended a.txt, next: done } }
      agents: { dev: {} }
    `,
    plays: { develop: [[write('a.txt', 'broken\n')], [write('a.txt', 'mended\n'), write('b.txt', 'new\n')]] },
  })
  const elsewhere = house.repo.git('rev-parse', 'HEAD')
  house.repo.git('commit', '-q', '--allow-empty', '-m', 'theirs')
  const theirs = house.repo.git('rev-parse', 'HEAD')
  house.repo.git('reset', '-q', '--hard', elsewhere)
  const run = await house.start()
  await run.end()
  const [first, last] = (await run.all('work.committed')).map(({ commit }) => commit)
  const patch = (wish: { readonly from?: string; readonly to?: string } = {}, id = run.id) =>
    house
      .host()
      .course({ kind: 'person', name: 'me' })
      .diff(id, { step: null, steps: false, stat: false, ...wish })
  const partOf = (text: string) => ({ parts: [{ step: null, text: expect.stringContaining(text) }] })
  expect(await patch()).toMatchObject({ from: elsewhere, to: last, ...partOf('+mended') })
  const step = await patch({ from: first!.slice(0, 8), to: last! })
  expect(step).toMatchObject(partOf('-broken\n+mended'))
  expect(await patch({ to: theirs })).toMatchObject({ code: 'not-found' })
  expect(await patch({}, 'gone')).toMatchObject({ code: 'unknown-run' })
})
