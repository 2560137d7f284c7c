import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { readDecisionFile } from './decision-file.ts'

const place = () => {
  const worktree = temporaryFolder()
  mkdirSync(join(worktree, '.signalbox/run'), { recursive: true })
  const path = join(worktree, '.signalbox/run/decision-0123456789abcdef.json')
  return { path, read: () => readDecisionFile(path, worktree) }
}

describe('a decision file', () => {
  it('is nothing where there is none, and a payload with its bytes where it is JSON', async () => {
    const { path, read } = place()
    expect(await read()).toEqual({ kind: 'nothing' })
    const text = `${JSON.stringify(EXAMPLE_DECISION, null, 4)}\n`
    writeFileSync(path, text)
    const file = await read()
    expect(file).toMatchObject({ kind: 'decision', payload: EXAMPLE_DECISION })
    expect(file.kind === 'decision' && new TextDecoder().decode(file.bytes)).toBe(text)
  })

  it.each([
    ['is not JSON', 'headline: x', /What you gave: headline: x/],
    ['is empty', '  ', /it is empty/],
    ['is not text', Buffer.from([0xff, 0xfe, 0x00]), /not UTF-8/],
    ['is too large', `"${'x'.repeat(64 * 1024)}"`, /64 KiB[\s\S]*was not read/],
  ])(
    '[Q23] [D4] that %s is wrong, with what was asked, what was given and an example',
    async (_, content, why) => {
      const { path, read } = place()
      writeFileSync(path, content)
      const file = await read()
      if (file.kind !== 'wrong') throw new Error(file.kind)
      expect(file.message).toMatch(why)
      expect(file.message).toContain(path)
      expect(file.message).toContain(JSON.stringify(EXAMPLE_DECISION))
    },
  )

  it('[Q23] [D4] that is a link, a folder or a pipe is wrong, and is not followed', async () => {
    const kinds: readonly ((path: string) => void)[] = [
      (path) => symlinkSync('/etc/hostname', path),
      (path) => mkdirSync(path),
      (path) => execFileSync('mkfifo', [path]),
    ]
    for (const make of kinds) {
      const { path, read } = place()
      make(path)
      expect(await read()).toMatchObject({ kind: 'wrong', message: expect.stringContaining('was not read') })
    }
  })
})
