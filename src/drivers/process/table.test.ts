import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { until } from '../../until.fixture.ts'
import { markOf } from './mark.ts'
import { descendantsOf, env, isLinux, run, sleeper } from './process.fixture.ts'
import { parsePs, readOnePs, readPs } from './ps.ts'
import { isAlive, isOlder, readProcessTable, startTimeOf, survivorsOf } from './table.ts'

describe.skipIf(!isLinux)('the process table', () => {
  it('knows us', async () => {
    const us = (await readProcessTable()).find(({ pid }) => pid === process.pid)
    expect(us).toMatchObject({ parent: process.ppid, startTime: startTimeOf(process.pid) })
  })

  it('knows children and theirs, parents first', async () => {
    const { command, alive } = sleeper()
    const running = run(`sh -c '${command}; :'; :`)
    await until(() => alive().length === 1, 'it runs')
    const names = (await descendantsOf(running.pid!)).map(({ name }) => name)
    expect(names).toEqual(['sh', 'sleep'])
    expect((await descendantsOf(process.pid)).map(({ pid }) => pid)).toContain(alive()[0])
  })

  it('knows a process by its pid and start time', async () => {
    const { command, alive } = sleeper()
    const running = run(`exec ${command}`)
    await until(() => alive().length === 1, 'it runs')
    const process = { pid: running.pid!, startTime: startTimeOf(running.pid!)! }
    const stranger = { ...process, startTime: 'another time' }
    expect([isAlive(process), isAlive(stranger)]).toEqual([true, false])
    expect(await survivorsOf([process, stranger])).toEqual([process])
    await running.stop(0)
    expect([isAlive(process), startTimeOf(process.pid)]).toEqual([false, null])
  })

  it('knows who is older, and of two boots nothing', () => {
    const known = (pid: number) => ({ pid, startTime: startTimeOf(pid)! })
    const [us, child] = [known(process.pid), known(run('read line').pid!)]
    expect([isOlder(us, child), isOlder(child, us), isOlder(child, child)]).toEqual([true, false, false])
    expect(isOlder({ pid: 1, startTime: '01234567-1' }, child)).toBe(false)
  })

  it('finds a mark behind however much else', async () => {
    const { pid } = run('read line', { env: { ...env, MUCH: 'x'.repeat(100_000) } })
    await until(() => {
      const mark = markOf(pid!)
      return mark !== null && mark !== 'starting' && mark.host.pid === process.pid
    }, 'it is marked')
  })

  it('does not take a zombie for alive', async () => {
    // The shell becomes a program that never asks for its child.
    const running = run('sleep 0 & echo $!; exec cat')
    const child = await new Promise<number>((resolve) =>
      running.stdout.once('data', (pid) => resolve(Number(pid))),
    )
    const startTime = startTimeOf(child)!
    await until(() => !isAlive({ pid: child, startTime }), 'the child has ended')
    expect(startTimeOf(child)).toBe(startTime)
    expect((await descendantsOf(running.pid!)).map(({ pid }) => pid)).not.toContain(child)
  })

  it('reads names with spaces and brackets', async () => {
    const running = run('', { argv: ['sh', '-c', 'printf ") S 1 (" > /proc/$$/comm; echo ready; read line'] })
    await new Promise((resolve) => running.stdout.once('data', resolve))
    const found = (await readProcessTable()).find(({ pid }) => pid === running.pid)
    expect(found).toMatchObject({
      name: ') S 1 (',
      parent: process.pid,
      group: running.pid,
      session: running.pid,
    })
  })
})

describe('the table as ps tells it', () => {
  it('is read line by line, without zombies', () => {
    const text = [
      '    1     0     1 Ss   Mon Jan  5 08:01:09 2026 launchd',
      '  501     1   501 S+   Tue Jan  6 18:11:39 2026 Google Chrome He',
      '  502   501   501 Z    Tue Jan  6 18:11:40 2026 <defunct>',
      '',
    ].join('\n')
    expect(parsePs(text)).toEqual([
      { pid: 1, parent: 0, group: 1, session: 1, startTime: 'Mon Jan 5 08:01:09 2026', name: 'launchd' },
      {
        pid: 501,
        parent: 1,
        group: 501,
        session: 501,
        startTime: 'Tue Jan 6 18:11:39 2026',
        name: 'Google Chrome He',
      },
    ])
  })

  it.skipIf(!hasPs())('knows us', async () => {
    const us = (await readPs()).find(({ pid }) => pid === process.pid)
    expect(us).toMatchObject({ parent: process.ppid })
    expect(readOnePs(process.pid)).toEqual(us)
    expect(readOnePs(2 ** 22 + 1)).toBeNull()
  })
})

function hasPs(): boolean {
  try {
    execFileSync('ps', ['-p', '1'])
    return true
  } catch {
    return false
  }
}
