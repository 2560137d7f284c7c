/** The user's filters, by real programs: a file lies filtered in every place where files are, and clean in every commit. */
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { makeCleanCheckout } from './clean-checkout.ts'
import { BRANCH, confined, createRun, type Place, placeAt, temporaryFolder } from './repository.fixture.ts'

/** In the repository a file says `clean`, beside it it says `smudged`. */
function withFilter(repo: Place): void {
  const bin = temporaryFolder()
  const program = (name: string, script: string): string => {
    writeFileSync(join(bin, name), `#!/bin/sh\nexec sed '${script}'\n`)
    chmodSync(join(bin, name), 0o755)
    return join(bin, name)
  }
  repo.git('config', 'filter.words.clean', program('clean', 's/smudged/clean/'))
  repo.git('config', 'filter.words.smudge', program('smudge', 's/clean/smudged/'))
  repo.write('.gitattributes', '*.words filter=words\n')
  repo.write('a.words', 'clean\n')
  repo.write('in here/it’s one.words', 'clean\n')
  repo.git('add', '-A')
  repo.git('commit', '-qm', 'words')
}

it('[W12] are applied to the worktree, to commits and to clean checkouts', async () => {
  const { ground, repo, work, collected } = await createRun({}, withFilter)
  expect([work.read('a.words'), work.read('in here/it’s one.words')]).toEqual(['smudged\n', 'smudged\n'])
  expect(work.git('status', '--porcelain')).toBe('')
  work.write('a.words', 'smudged twice\n')
  work.write('b c.words', 'smudged\n')
  const { commit } = await collected()
  expect([repo.git('show', `${commit}:a.words`), repo.git('show', `${commit}:b c.words`)]).toEqual([
    'clean twice',
    'clean',
  ])
  const checkout = await makeCleanCheckout({
    ...{ ground, repo: repo.dir, branch: BRANCH, commit, prepared: null, artifacts: [], confined },
  })
  const there = placeAt(checkout.files)
  expect([there.read('a.words'), there.read('in here/it’s one.words')]).toEqual([
    'smudged twice\n',
    'smudged\n',
  ])
  expect(there.git('status', '--porcelain')).toBe('')
  await checkout.remove()
})

it('[W3] are applied to what is put back', async () => {
  const { work, collected } = await createRun({}, withFilter)
  work.write('a.words', 'smudged wrongly\n')
  const { outside } = await collected({ boundary: [['b.txt']] })
  expect(outside).toEqual(['a.words'])
  expect(work.read('a.words')).toBe('smudged\n')
})

it('[W12] are a problem that names the files where one is required and fails', async () => {
  const { ground, work, collect } = await createRun({}, withFilter)
  const failing = '[filter "words"]\n\tclean = false\n\trequired = true\n'
  writeFileSync(join(ground.dir, 'filters.gitconfig'), failing)
  work.write('a.words', 'smudged again\n')
  const problem = expect.stringMatching(/^A filter of your git settings failed on a\.words.*: /)
  expect(await collect()).toEqual({ problem })
})
