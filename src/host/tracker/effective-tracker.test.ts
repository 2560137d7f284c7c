/** What a person and a run made of the same issues, merged from real commits. */
import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { createRepository } from '../workspace/repository.fixture.ts'
import { effectiveTracker } from './effective-tracker.ts'

const HEAD = '---\ntitle: One\n---\n'

/** Each of the two sides changes the first issue; what became of a file, byte for byte, and what is disputed. */
async function merged(
  first: { readonly base: string; readonly mine: string; readonly runs: string },
  others: Readonly<Record<string, Buffer>> = {},
) {
  const repo = createRepository({ 'TODO/1.md': first.base })
  for (const [name, bytes] of Object.entries(others)) repo.write(name, bytes)
  const commit = (text: string): string => {
    repo.write('TODO/1.md', text)
    repo.git('add', '-A')
    repo.git('commit', '-q', '--allow-empty', '-m', 'x')
    return repo.git('rev-parse', 'HEAD')
  }
  const start = commit(first.base)
  const base = commit(first.mine)
  repo.git('checkout', '-q', start)
  const place = { git: { cwd: repo.dir }, folders: ['TODO'] }
  const { files, conflicts } = await effectiveTracker(place, { base, tip: commit(first.runs) })
  const bytesOf = (path: string): Buffer =>
    execFileSync('git', ['cat-file', 'blob', files.get(path)!.id], { cwd: repo.dir })
  return { conflicts, bytesOf, read: (path: string) => bytesOf(path).toString() }
}

it('[W23] a value that both give to a key for the first time is disputed, and no key stands twice', async () => {
  const sides = { base: HEAD, mine: HEAD.replace('---\n', '---\nstatus: Done\n') }
  const runs = HEAD.replace('---\n', '---\nstatus: In Progress\n')
  const { conflicts, read } = await merged({ ...sides, runs })
  expect(conflicts).toEqual(['TODO/1.md'])
  expect(read('TODO/1.md')).toBe(sides.mine)
})

it('[W23] what only looks like a list of ours stays', async () => {
  const code = '```\n<!-- signalbox:sub-issues -->\n- an example\n<!-- /signalbox:sub-issues -->\n```\n'
  const base = `${HEAD}\nfirst\n\n${code}\nlast\n`
  const { conflicts, read } = await merged({
    base,
    mine: base.replace('first', 'mine'),
    runs: base.replace('last', 'of a run'),
  })
  expect(conflicts).toEqual([])
  expect(read('TODO/1.md')).toBe(`${HEAD}\nmine\n\n${code}\nof a run\n`)
})

it('[W23] a file that is no UTF-8 is never written anew, and a byte order mark stays', async () => {
  const odd = Buffer.from('---\ntitle: Caf\xe9\n---\n', 'latin1')
  const { read, bytesOf } = await merged(
    {
      base: `${HEAD}\nfirst\n\nlast\n`,
      mine: `${HEAD}\nmine\n\nlast\n`,
      runs: `${HEAD}\nfirst\n\nof a run\n`,
    },
    {
      'TODO/2.md': odd,
      'TODO/3.md': Buffer.from('\ufeff# Marked\n'),
      'TODO/4.md': Buffer.from('---\nparent: 2\n---\n'),
      'TODO/5.md': Buffer.from('---\nparent: 3\n---\n'),
    },
  )
  expect(bytesOf('TODO/2.md')).toEqual(odd)
  expect(read('TODO/3.md')).toMatch(/^\ufeff# Marked\n/)
  expect(read('TODO/3.md')).toContain('[5](5.md)')
})
