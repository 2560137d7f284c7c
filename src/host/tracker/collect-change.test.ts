import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { ISSUE_FOLDERS } from '../issue/issue-folder.ts'
import { createRepository } from '../workspace/repository.fixture.ts'
import { collectChange } from './collect-change.ts'
import { filesOfCommit } from './issue-files.ts'

const FILES = { 'TODO/1.md': '# One\n', 'TODO/2.md': '# Two\n', 'TODO/shot.png': '\u0000', 'a.txt': 'a\n' }

async function collected(script: string) {
  const { dir } = createRepository(FILES)
  const place = { git: { cwd: dir }, folders: ISSUE_FOLDERS }
  const laid = await filesOfCommit(place, 'HEAD')
  execFileSync('sh', ['-c', script], { cwd: dir })
  return collectChange(place, { laid, dir, run: 'r1' })
}

it('[W21] takes what was changed of issues, new ones and their index, and nothing beside them', async () => {
  const change = await collected(
    'echo x >> TODO/1.md; echo x > TODO/GAL-3.md; echo x > TODO/README.md; echo x > a.txt; touch TODO/2.md',
  )
  expect(change.map(({ path, before }) => [path, before === null])).toEqual([
    ['TODO/1.md', false],
    ['TODO/GAL-3.md', true],
    ['TODO/README.md', true],
  ])
  expect(
    await collected('mkdir .signalbox .signalbox/issues; echo x > .signalbox/issues/1.md'),
  ).toMatchObject([{ path: '.signalbox/issues/1.md', after: { mode: '100644' } }])
  expect(await collected('chmod 755 TODO/1.md; touch TODO/.gitignore')).toEqual([])
})

it('[W21] is not kept from that by what lies beside issues, however large', async () => {
  const repo = createRepository({ ...FILES, 'TODO/video.mp4': 'x'.repeat(1_100_000) })
  const { dir } = repo
  const place = { git: { cwd: dir }, folders: ISSUE_FOLDERS }
  const laid = await filesOfCommit(place, 'HEAD')
  repo.write('TODO/1.md', '# One\nx\n')
  expect(await collectChange(place, { laid, dir, run: 'r1' })).toMatchObject([{ path: 'TODO/1.md' }])
})

it('[W21] never makes a link of what it took for an issue', async () => {
  const { dir } = createRepository(FILES)
  const place = { git: { cwd: dir }, folders: ISSUE_FOLDERS }
  execFileSync('sh', ['-c', 'ln -s 1.md TODO/3.md; git add -A; git commit -qm link'], { cwd: dir })
  const laid = await filesOfCommit(place, 'HEAD')
  execFileSync('sh', ['-c', 'rm TODO/3.md; printf /etc/passwd > TODO/3.md'], { cwd: dir })
  await expect(collectChange(place, { laid, dir, run: 'r1' })).rejects.toThrow(
    'TODO/3.md: a link stands there',
  )
})

it.each([
  ['rm TODO/1.md; ln -s /etc/hostname TODO/1.md', 'TODO/1.md: it is a link'],
  ['ln -s /etc/hostname TODO/3.md', 'TODO/3.md: it is a link'],
  ['rm -r TODO; ln -s /etc TODO', 'TODO/1.md, TODO/2.md, TODO/shot.png: a run takes no issue away'],
  ['git init -q TODO', 'TODO/.git/'],
  ['echo "gitdir: /tmp" > TODO/.git', 'TODO/.git: it is no file of an issue'],
  ['head -c 2000000 /dev/zero > TODO/3.md', 'TODO/3.md: it has 2000000 bytes; at most 1048576 are taken'],
  [
    'cd TODO && seq 600 | sed "s/.*/n&.md/" | xargs touch',
    '601 issues were changed; at most 500 are at once',
  ],
  ['mkfifo TODO/3.md', 'TODO/3.md: it is not a regular file'],
  ["printf '\\377\\376' > TODO/3.md", 'TODO/3.md: it is not text'],
  ["printf 'a\\0b' > TODO/3.md", 'TODO/3.md: it is not text'],
  ['echo x > TODO/..md', 'TODO/..md: it is no file of an issue'],
  ['echo x > TODO/-rf.md', 'TODO/-rf.md: it is no file of an issue'],
  ['echo x > TODO/shot.png', 'TODO/shot.png: it is no file of an issue'],
  ['rm TODO/2.md', 'TODO/2.md: a run takes no issue away'],
  ['mkdir -p TODO/a/b; echo x > TODO/a/b/3.md', 'TODO/a/b/3.md: it is no file of an issue'],
])('[W21] %s: nothing at all is kept', async (script, words) => {
  const message = await collected(`echo good >> TODO/1.md; ${script}`).then(String, String)
  expect(message).toContain('No change of an issue was kept. ')
  expect(message).toContain(words)
})

it('[Q31] [Q32] names the run over each comment, and leaves what others wrote', async () => {
  const text =
    '---\\ntitle: T\\n---\\nThe parser loses blanks.\\n\\n## Comments\\n\\n### 2026-05-08, anna\\n\\n> Not yet.\\n'
  const { dir } = createRepository({ 'TODO/1.md': text.replaceAll('\\n', '\n') })
  const place = { git: { cwd: dir }, folders: ISSUE_FOLDERS }
  const laid = await filesOfCommit(place, 'HEAD')
  const collect = (script: string) => {
    execFileSync('sh', ['-c', script], { cwd: dir })
    return collectChange(place, { laid, dir, run: 'r1' })
  }
  const [change] = await collect(`printf '\\n### 2026-05-09, anna\\n\\n> Ship it.\\n' >> TODO/1.md`)
  const blob = execFileSync('git', ['cat-file', 'blob', change!.after.id], { cwd: dir, encoding: 'utf8' })
  expect(blob).toContain('\n### 2026-05-09, run r1 (signed "anna")\n\n> Ship it.\n')
  expect(blob).toContain('\n### 2026-05-08, anna\n\n> Not yet.\n')
  await expect(collect('sed -i "s/Not yet/Now/" TODO/1.md')).rejects.toThrow('a comment of anna is changed')
  await expect(collect(': > TODO/1.md')).rejects.toThrow('a run leaves what others wrote')
})
