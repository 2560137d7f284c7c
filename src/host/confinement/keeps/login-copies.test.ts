/** Copies of a login and what comes back of them, on a real disk. */
import { execFileSync } from 'node:child_process'
import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../workspace/repository.fixture.ts'
import { type LoginCopies, layLogins } from './login-copies.ts'

const PLACE = '~/.mine/auth.json'
const login = (access: string, more: object = {}): string =>
  JSON.stringify({ access_token: access, account: 'me', ...more })
const OLD = login('old')

function stage(text = OLD) {
  const dir = temporaryFolder()
  const [own, home] = [join(dir, 'user/.mine/auth.json'), join(dir, 'homes/agent')]
  const copy = join(home, '.mine/auth.json')
  for (const folder of [dirname(own), home]) mkdirSync(folder, { recursive: true })
  writeFileSync(own, text, { mode: 0o640 })
  return {
    own,
    copy,
    home,
    homes: join(dir, 'homes'),
    lay: (from: string | null = own): Promise<LoginCopies> =>
      layLogins(home, [{ place: PLACE, own: from, names: ['.mine', 'auth.json'] }]),
    mine: () => readFileSync(own, 'utf8'),
    token: () => JSON.parse(readFileSync(own, 'utf8')).access_token,
  }
}

describe('the copy of a login', () => {
  it('[X16] is the agent’s alone, and gone with its session', async () => {
    const { lay, copy, home, homes } = stage()
    const logins = await lay()
    expect(readFileSync(copy, 'utf8')).toBe(OLD)
    expect(statSync(copy).mode & 0o777).toBe(0o600)
    expect(await logins.end()).toEqual([])
    expect(existsSync(copy)).toBe(false)
    expect([readdirSync(join(home, '.mine')), readdirSync(homes)]).toEqual([[], ['agent']])
  })

  it.each([
    ['in place', (copy: string) => writeFileSync(copy, login('new'))],
    [
      'by a file that takes its place',
      (copy: string) => {
        writeFileSync(`${copy}.new`, login('new', { hook: 'evil' }))
        renameSync(`${copy}.new`, copy)
      },
    ],
  ])('[X16] is taken back when it is refreshed %s', async (_how, refresh) => {
    const { lay, copy, own, mine, token } = stage()
    const logins = await lay()
    refresh(copy)
    expect(await logins.sync()).toEqual([`${PLACE} has a refreshed login of the agent's: access_token`])
    expect(JSON.parse(mine())).toEqual({ access_token: 'new', account: 'me' })
    expect(statSync(own).mode & 0o777).toBe(0o640)
    expect(readdirSync(dirname(own))).toEqual(['auth.json'])
    expect(await logins.sync()).toEqual([])
    writeFileSync(copy, login('newer'))
    expect(await logins.end()).toHaveLength(1)
    expect(token()).toBe('newer')
  })

  it('[X16] gives way to the user’s own, which the session then has', async () => {
    const { lay, copy, own, mine } = stage()
    const logins = await lay()
    writeFileSync(copy, login('the-agents'))
    writeFileSync(own, login('the-users'))
    expect(await logins.sync()).toEqual([])
    expect([mine(), readFileSync(copy, 'utf8')]).toEqual([login('the-users'), login('the-users')])
  })

  it('[X16] is handed on from one session to another that is open', async () => {
    const one = stage()
    const first = await one.lay()
    const home = join(one.homes, 'other')
    mkdirSync(home)
    const second = await layLogins(home, [{ place: PLACE, own: one.own, names: ['.mine', 'auth.json'] }])
    writeFileSync(one.copy, login('new'))
    await first.sync()
    await second.sync()
    expect(JSON.parse(readFileSync(join(home, '.mine/auth.json'), 'utf8')).access_token).toBe('new')
  })

  it('[X16] that was refreshed before the host was killed is taken back by the next session', async () => {
    const { lay, copy, token } = stage()
    await lay()
    writeFileSync(copy, login('new'))
    const logins = await lay()
    expect(logins.notes).toHaveLength(1)
    expect(token()).toBe('new')
    expect(JSON.parse(readFileSync(copy, 'utf8'))).toEqual({ access_token: 'new', account: 'me' })
  })

  it('[X16] is not missed where the user logs out, and comes where they log in', async () => {
    const { lay, own, copy } = stage()
    const logins = await lay()
    rmSync(own)
    await logins.sync()
    expect(existsSync(copy)).toBe(false)
    writeFileSync(own, login('again'))
    await logins.sync()
    expect(readFileSync(copy, 'utf8')).toBe(login('again'))
    expect((await (await lay(null)).end()).length).toBe(0)
  })
})

describe('what an agent puts in the place of its copy', () => {
  it.each<[string, (copy: string, dir: string) => void, RegExp | null]>([
    ['garbage', (copy) => writeFileSync(copy, '#!/bin/sh\nevil'), /not JSON/],
    ['a huge file', (copy) => writeFileSync(copy, login('x'.repeat(1_000_000))), null],
    ['nothing', (copy) => rmSync(copy), null],
    [
      'a link to a secret',
      (copy, dir) => {
        writeFileSync(join(dir, 'secret'), login('stolen'))
        rmSync(copy)
        symlinkSync(join(dir, 'secret'), copy)
      },
      null,
    ],
    [
      'a link in the place of its folder',
      (copy, dir) => {
        mkdirSync(join(dir, 'elsewhere'))
        writeFileSync(join(dir, 'elsewhere/auth.json'), login('stolen'))
        rmSync(dirname(copy), { recursive: true })
        symlinkSync(join(dir, 'elsewhere'), dirname(copy))
      },
      null,
    ],
    [
      'a pipe that never ends',
      (copy) => {
        rmSync(copy)
        execFileSync('mkfifo', [copy])
      },
      null,
    ],
    [
      'a folder',
      (copy) => {
        rmSync(copy)
        mkdirSync(join(copy, 'deep/er'), { recursive: true })
      },
      null,
    ],
  ])('[X16] [X20] is never taken back: %s', async (_what, plant, note) => {
    const { lay, copy, mine, home } = stage()
    const logins = await lay()
    plant(copy, dirname(home))
    expect(await logins.sync()).toEqual([])
    expect(await logins.end()).toEqual(note === null ? [] : [expect.stringMatching(note)])
    expect(mine()).toBe(OLD)
    const again = await lay()
    expect(lstatSync(copy).isFile()).toBe(true)
    expect(readFileSync(copy, 'utf8')).toBe(OLD)
    expect(lstatSync(dirname(copy)).isSymbolicLink()).toBe(false)
    await again.end()
  })

  it('[X16] changes nothing through a link of the user’s own but the file it leads to', async () => {
    const { lay, copy, own, token, home } = stage()
    const real = join(dirname(home), 'real.json')
    renameSync(own, real)
    symlinkSync(real, own)
    linkSync(real, `${real}.other-name`)
    // What is granted is named by its real place.
    const logins = await lay(real)
    writeFileSync(copy, login('new'))
    await logins.end()
    expect(token()).toBe('new')
    expect(lstatSync(own).isSymbolicLink()).toBe(true)
    expect(readFileSync(`${real}.other-name`, 'utf8')).toBe(OLD)
  })

  it('[X16] of a login that is not JSON nothing is ever written back', async () => {
    const { lay, copy, mine } = stage('KEY: mine\n')
    const logins = await lay()
    writeFileSync(copy, 'KEY: theirs\n')
    expect(await logins.end()).toEqual([expect.stringContaining('it is read-only')])
    expect(mine()).toBe('KEY: mine\n')
  })
})
