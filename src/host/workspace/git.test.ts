import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { git, gitOutput, sentenceOf } from './git.ts'
import { confined, createRun } from './repository.fixture.ts'

const here = { cwd: tmpdir() }
const running = (script: string): string[] => ['-c', `alias.act=!${script}`, 'act']

describe('a git that did not come to its own end', () => {
  it('[K7] is told as ended by a signal that is not ours, and by which', async () => {
    const result = await git(running('kill -9 $PPID'), here)
    expect(result.cutShort).toContain('SIGKILL')
    expect(sentenceOf(['act'], result)).toMatch(/^git act was ended by SIGKILL, which Signalbox did not send/)
    await expect(gitOutput(running('kill -15 $PPID'), here)).rejects.toThrow('was ended by SIGTERM')
  })

  it('[K7] is told as stopped by us where it took too long, and after how long', async () => {
    const result = await git(running('sleep 5'), { ...here, timeoutMs: 200 })
    expect(sentenceOf(['act'], result)).toBe('git act took longer than 0.2 s and was stopped by Signalbox.')
  })

  it('[K7] is told as that on the ground of an agent, too', async () => {
    const { ground } = await createRun()
    const killed = await confined({ ground, writes: 'nothing', argv: ['sh', '-c', 'kill -9 $$'] })
    expect([killed.code, killed.cutShort]).toEqual([null, expect.stringContaining('was ended by SIGKILL')])
    const failed = await confined({ ground, writes: 'nothing', argv: ['sh', '-c', 'exit 128'] })
    expect([failed.code, failed.cutShort]).toEqual([128, null])
  })

  it('[W28] has 2 GiB of memory, and says so when it needs more', async () => {
    expect(await gitOutput(running('ulimit -d'), here)).toBe('2097152\n')
    const result = await git(running("echo 'fatal: Out of memory, malloc failed' >&2; exit 128"), here)
    expect(sentenceOf(['act'], result)).toBe('git act needed more than 2 GiB of memory and was stopped.')
  })
})
