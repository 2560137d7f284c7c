/** Processes of the user's, and the host itself: ended, traced, or their memory written. */
import { type ChildProcess, spawn } from 'node:child_process'
import { expect, onTestFinished } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()
const users: ChildProcess[] = []

const trace = (pid: number): string =>
  `perl -e 'exit(syscall(\`uname -m\` =~ /aarch64/ ? 117 : 101, 16, ${pid}, 0, 0) == 0 ? 0 : 1)'`

attack(
  '[D10] they cannot even be seen',
  {
    prepare: () => {
      const child = spawn('sleep', ['300'])
      users.push(child)
      onTestFinished(() => void child.kill())
    },
    plays: ({ attempt, house }) => {
      const pid = users[0]!.pid!
      return {
        develop: [
          [
            attempt('signal', `kill -9 ${pid}`),
            attempt('trace', trace(pid)),
            attempt('trace-host', trace(process.pid)),
            attempt('memory', `echo x > /proc/${pid}/mem`),
            attempt('score', `echo 1000 > /proc/${pid}/oom_score_adj`),
            attempt('descriptors', `ls -l /proc/[0-9]*/fd | grep -F ${house.home.dir}/signalbox`),
            attempt('enter', `nsenter -t ${pid} -a true`),
          ],
        ],
      }
    },
  },
  async ({ run, exit }) => {
    expect(await run.end()).toBe('done')
    const codes = ['signal', 'trace', 'trace-host', 'memory', 'score', 'descriptors', 'enter'].map(exit)
    expect(codes).not.toContain(0)
    expect(users[0]!.exitCode ?? users[0]!.signalCode).toBeNull()
  },
)
