/** The same with the sandbox that users get, where the machine can make one. */
import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { findSandbox } from '../../src/drivers/index.ts'
import { type HouseOptions, houses } from './host.fixture.ts'

const openHouse = houses()
const sandbox = await findSandbox(process.env['PATH'] ?? '')
if ('why' in sandbox) console.warn(`not tested: ${sandbox.why}`)
const bwrap = 'bwrap' in sandbox ? sandbox.bwrap : null
const boxedIt = bwrap === null ? it.skip : it.concurrent

/** The agent's files lie in /tmp here, so they must be named to be seen inside. */
const boxed: Pick<HouseOptions, 'bwrap' | 'programFor'> = {
  bwrap,
  programFor: (_, scripted, agentFile) => {
    const state = join(dirname(scripted.argv.at(-1)!), 'state')
    mkdirSync(state, { recursive: true })
    const argv = [process.execPath, agentFile, ...scripted.argv, '--state', state]
    return { ...scripted, driver: 'acp', argv, keeps: [state] }
  },
}

boxedIt('a whole run goes through: answers, gates, commits, the answer over MCP', async () => {
  const house = await openHouse({
    ...boxed,
    doors: true,
    permissions: 'auto',
    runbook: `
      steps:
        develop: { agent: dev, gate: 'test -f src/new.ts && echo gate > .signalbox/run/gate.txt', next: review }
        review: { agent: dev, options: { good: done, poor: abandoned } }
    `,
    plays: {
      develop: [
        [{ say: 'Done.' }],
        [
          {
            permission: { title: 'write' },
            allowed: [{ write: { path: 'src/new.ts', text: '1' } }],
            rejected: [],
          },
          { run: 'git add -A && git -c user.name=x -c user.email=x@x commit -qm own' },
        ],
      ],
      review: [[{ answer: { decision: 'good' }, via: 'mcp' }]],
    },
  })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect(await run.all('gate.failed')).toHaveLength(1)
  expect(run.work.git('log', '-1', '--format=%s')).toBe('own')
  expect((await run.until('answer.received')).via).toBe('mcp')
})

boxedIt('keeps agents and gates from the checkout, the host’s data and other runs', async () => {
  const house = await openHouse({
    ...boxed,
    runbook: `
      steps:
        develop: { agent: dev, gate: 'ls "$HOME" > .signalbox/run/gate-home.txt; touch "$HOME/gate"; true', next: done }
    `,
    plays: { develop: [[{ run: 'true' }]] },
  })
  const out = '.signalbox/run/tried.txt'
  const tries = [
    `touch ${house.repo.dir}/a.txt.new && echo checkout >> ${out}`,
    `cat ${house.home.database} > /dev/null && echo journal >> ${out}`,
    `ls ${house.home.answers} && echo answers >> ${out}`,
    `touch ${house.repo.dir}/.git/hooks/post-commit && echo hooks >> ${out}`,
    `git config core.pager evil && echo config >> ${out}`,
  ]
  house.rehearse({ develop: [[...tries.map((run) => ({ run })), { run: `echo end >> ${out}` }]] })
  const run = await house.start()
  expect(await run.end()).toBe('done')
  expect(run.work.read(out)).toBe('end\n')
  expect(run.work.read('.signalbox/run/gate-home.txt')).not.toContain('signalbox.db')
})
