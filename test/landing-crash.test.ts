/** A host that is killed in the middle of a landing: what the branch says is what the record says, and nothing is half done. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openProject } from './runs.fixture.ts'

/** `half`: git was killed as well, while it wrote the checkout. */
type Moment = 'before' | 'half' | 'after'

/** A git in front of the real one that kills the host once, when it is asked for this word. */
function openDeadlyGit() {
  const dir = mkdtempSync(join(tmpdir(), 'signalbox-git-'))
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const armed = join(dir, 'armed')
  writeFileSync(
    join(dir, 'git'),
    `#!/bin/sh
[ -e '${armed}' ] || exec '${real}' "$@"
read -r wanted moment < '${armed}'
for word in "$@"; do [ "$word" = "$wanted" ] && found=1; done
[ -n "$found" ] || exec '${real}' "$@"
rm '${armed}'
case $moment in
  half)
    before=$('${real}' rev-parse HEAD)
    cp .git/index .git/index.before
    '${real}' "$@"
    '${real}' update-ref HEAD $before
    mv .git/index.before .git/index
    touch .git/index.lock
    printf 'ma' > src/made.txt
    rm src/more.txt ;;
  after) '${real}' "$@" ;;
esac
kill -9 $PPID
`,
  )
  chmodSync(join(dir, 'git'), 0o755)
  const before = process.env['PATH'] ?? ''
  process.env['PATH'] = `${dir}:${before}`
  onTestFinished(() => {
    process.env['PATH'] = before
    rmSync(dir, { recursive: true, force: true })
  })
  return { killAt: (word: string, moment: Moment) => writeFileSync(armed, `${word} ${moment}\n`), armed }
}

async function endedRun() {
  const git = openDeadlyGit()
  const project = openProject()
  project.write('src/old.txt', 'old\n')
  project.git('add', '-A')
  project.git('commit', '-q', '-m', 'old')
  project.git('branch', 'release')
  const files = { 'src/made.txt': 'made\n', 'src/more.txt': 'more\n', 'src/old.txt': 'new\n' }
  const writes = Object.entries(files).map(([path, text]) => ({ write: { path, text } }))
  project.write(
    '.signalbox/dev.json',
    JSON.stringify({ sessions: [{ when: {}, turns: [[...writes, { say: 'Made it.' }]] }] }),
  )
  await project.run('run', 'build')
  const [row] = await project.json<readonly { readonly run: string }[]>('ps', '--all')
  const { run } = row!
  const before = project.git('rev-parse', 'main')
  const landAndDie = async (...words: string[]) => {
    expect(await project.run('land', run, ...words)).toMatchObject({ code: null })
    expect(existsSync(git.armed)).toBe(false)
  }
  /** By a host that starts. */
  const story = async (): Promise<string> => {
    const host = project.begin('up', '--port', '0')
    await host.says('Signalbox is up')
    const { out } = await project.run('show', run)
    await project.run('down')
    await host.ended
    return out
  }
  const read = (name: string): string => readFileSync(join(project.repo, name), 'utf8')
  const status = () => project.git('status', '--porcelain', '--', ':!.signalbox')
  return { project, run, before, landAndDie, story, read, status, killAt: git.killAt }
}

const LANDED = /✓ landed in (?:main|release) at/
const DROPPED = /not landed: The host was ended meanwhile\. (?:main|release) was not moved/

it('[M12] a host that is killed before anything was moved has landed nothing, and says so', async () => {
  const { project, run, before, landAndDie, story, status, killAt } = await endedRun()
  killAt('fetch', 'before')
  await landAndDie()
  expect(await story()).toMatch(DROPPED)
  killAt('merge', 'before')
  await landAndDie()
  expect(await story()).not.toMatch(LANDED)
  killAt('refs/heads/release', 'before')
  await landAndDie('--into', 'release')
  const told = await story()
  expect(told.match(new RegExp(DROPPED, 'g'))).toHaveLength(3)
  expect(told).not.toMatch(LANDED)
  expect([project.git('rev-parse', 'main'), project.git('rev-parse', 'release')]).toEqual([before, before])
  expect(status()).toBe('')
  expect(await project.run('land', run)).toMatchObject({ code: 0 })
  expect((await project.run('doctor')).out).not.toContain('differ')
})

it('[M12] a host that is killed after the branch moved records the landing when it starts', async () => {
  const { project, run, before, landAndDie, story, read, status, killAt } = await endedRun()
  killAt('merge', 'after')
  await landAndDie()
  const landed = project.git('rev-parse', 'main')
  expect(landed).not.toBe(before)
  const told = await story()
  expect(told).toMatch(LANDED)
  expect(told).not.toContain('not landed')
  expect([read('src/made.txt'), status()]).toEqual(['made\n', ''])
  killAt('refs/heads/release', 'after')
  await landAndDie('--into', 'release')
  expect(await story()).toContain('landed in release')
  const { events } = await project.json<{ events: readonly { readonly type: string }[] }>('show', run)
  expect(events.filter(({ type }) => type === 'run.landed')).toHaveLength(2)
})

it('[M12] a checkout that git had half written is put back, lock and all', async () => {
  const { project, run, before, landAndDie, story, read, status, killAt } = await endedRun()
  killAt('merge', 'half')
  await landAndDie()
  expect([read('src/made.txt'), read('src/old.txt')]).toEqual(['ma', 'new\n'])
  expect(await story()).toMatch(DROPPED)
  expect(project.git('rev-parse', 'main')).toBe(before)
  expect([existsSync(join(project.repo, 'src/made.txt')), read('src/old.txt'), status()]).toEqual([
    false,
    'old\n',
    '',
  ])
  expect(await project.run('land', run)).toMatchObject({ code: 0 })
  expect([read('src/made.txt'), status()]).toEqual(['made\n', ''])
})

it('[M13] what a person wrote over a half written file stays, and the record names it', async () => {
  const { project, landAndDie, story, read, killAt } = await endedRun()
  killAt('merge', 'half')
  await landAndDie()
  project.write('src/old.txt', 'mine\n')
  expect(await story()).toMatch(/not landed: .* may have a part of it: src\/old\.txt differ/)
  expect(read('src/old.txt')).toBe('mine\n')
})
