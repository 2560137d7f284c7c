import { expect, it } from 'vitest'
import { patchBetween, wholePatch } from './changes.ts'
import { gitLine, gitOutput } from './git.ts'
import { createRun } from './repository.fixture.ts'
import { inStore } from './store.ts'

it('[W3] half of a patch is none: a git that did not come to its end fails, and nobody judges what it had said by then', async () => {
  const { ground, before } = await createRun()
  const options = inStore(ground)
  const there = await gitLine(['hash-object', '-w', '--stdin'], { ...options, input: 'first\n' })
  const entries = [`100644 ${there}\ta-first.txt`, `100644 ${'1'.repeat(there.length)}\tz-gone.txt`]
  await gitOutput(['update-index', '--index-info'], { ...options, input: `${entries.join('\n')}\n` })
  const to = await gitLine(['write-tree', '--missing-ok'], options)
  await expect(wholePatch({ ground, from: before, to })).rejects.toThrow(/git diff-tree failed/)
  await expect(patchBetween({ ground, from: before, to, files: null })).rejects.toThrow(/git diff-tree/)
})
