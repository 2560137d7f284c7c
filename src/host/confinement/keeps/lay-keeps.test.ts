/** What of the user's home an agent finds in its own, on a real disk. */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../../workspace/repository.fixture.ts'
import { type Keeps, NO_KEEPS } from './keeps.ts'
import { layKeeps } from './lay-keeps.ts'

function stage() {
  const dir = temporaryFolder()
  const user = (name: string): string => join(dir, 'user', name)
  const home = (name: string): string => join(dir, 'homes/agent', name)
  const put = (path: string, text: string): string => {
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, text)
    return path
  }
  const lay = async (keeps: Partial<Keeps>, canShow = true) => {
    const furnished = await layKeeps({
      folder: home('.'),
      at: '/home/me',
      canShow,
      keeps: { ...NO_KEEPS, ...keeps },
      resolve: (place) => (existsSync(user(place.slice(2))) ? user(place.slice(2)) : null),
    })
    if ('problem' in furnished) throw new Error(furnished.problem)
    return furnished
  }
  const read = (name: string): string => readFileSync(home(name), 'utf8')
  return { dir, user, home, put, lay, read }
}

describe('settings', () => {
  it('[X18] are the user’s at the start of each session, whatever the agent made of its copy', async () => {
    const { put, user, home, lay, read } = stage()
    put(user('.mine/config.toml'), 'a = 1')
    const keeps = { settings: ['~/.mine/config.toml', '~/.mine/hooks.json', '~/.mine/skills'] }
    await lay(keeps)
    expect(read('.mine/config.toml')).toBe('a = 1')
    put(home('.mine/config.toml'), 'notify = ["evil"]')
    put(home('.mine/hooks.json'), '{}')
    put(home('.mine/skills/evil/SKILL.md'), 'evil')
    put(home('.mine/sessions/1.jsonl'), 'kept')
    put(user('.mine/config.toml'), 'a = 2')
    await lay(keeps)
    expect(read('.mine/config.toml')).toBe('a = 2')
    expect(readdirSync(home('.mine')).sort()).toEqual(['config.toml', 'sessions'])
    expect(readFileSync(user('.mine/config.toml'), 'utf8')).toBe('a = 2')
    expect(existsSync(user('.mine/hooks.json'))).toBe(false)
  })

  it('[X18] that are folders are shown, read-only, and not copied', async () => {
    const { put, user, home, lay } = stage()
    put(user('.mine/skills/one/SKILL.md'), 'one')
    const { shown, readable } = await lay({ settings: ['~/.mine/skills'] })
    expect(shown).toEqual([
      { from: user('.mine/skills'), at: '/home/me/.mine/skills', access: 'read', isInHome: true },
    ])
    expect(readable).toEqual([])
    expect(readdirSync(home('.mine/skills'))).toEqual([])
    const linked = await lay({ settings: ['~/.mine/skills'] }, false)
    expect(linked).toMatchObject({ shown: [], readable: [user('.mine/skills')] })
    expect(readFileSync(home('.mine/skills/one/SKILL.md'), 'utf8')).toBe('one')
  })

  it('[X18] named by a pattern are each shown where the user has them, and others can be made beside', async () => {
    const { put, user, home, lay } = stage()
    put(user('.cache/mine/pkg/linux/1.0/index.js'), 'real')
    const keeps = { settings: ['~/.cache/mine/pkg/*/*', '~/.gone/*'] }
    const { shown } = await lay(keeps)
    expect(shown).toMatchObject([{ from: user('.cache/mine/pkg/linux/1.0'), access: 'read' }])
    put(home('.cache/mine/pkg/linux/2.0/index.js'), 'unpacked')
    await lay(keeps)
    expect(readdirSync(home('.cache/mine/pkg/linux')).sort()).toEqual(['1.0', '2.0'])
  })

  it('[X17] say nothing of the user’s other projects', async () => {
    const { put, user, lay, read } = stage()
    put(user('.mine.json'), JSON.stringify({ theme: 'dark', projects: { '/secret': { history: ['x'] } } }))
    put(user('.odd.json'), 'projects: /secret')
    await lay({
      settings: ['~/.mine.json', '~/.odd.json'].map((file) => ({ file, without: ['projects'] })),
    })
    expect(JSON.parse(read('.mine.json'))).toEqual({ theme: 'dark' })
    expect(read('.odd.json')).toBe('{}')
  })
})

describe('sessions', () => {
  it('[X17] are in a folder of the run, which is kept and holds none of the user’s', async () => {
    const { put, user, home, lay, read } = stage()
    put(user('.mine/sessions/other-project.jsonl'), 'secret')
    const keeps = { sessions: ['~/.mine/sessions', '~/.cache/mine'] }
    await lay(keeps)
    expect([readdirSync(home('.mine/sessions')), readdirSync(home('.cache/mine'))]).toEqual([[], []])
    put(home('.mine/sessions/1.jsonl'), 'mine')
    await lay(keeps)
    expect(read('.mine/sessions/1.jsonl')).toBe('mine')
    expect(readdirSync(user('.mine/sessions'))).toEqual(['other-project.jsonl'])
  })
})

describe('a plain list', () => {
  it('[X19] is copied once for a run, without links, and never written back', async () => {
    const { put, user, home, lay, read } = stage()
    put(user('.mine/a/b'), 'user')
    symlinkSync('/etc/passwd', user('.mine/link'))
    await lay({ copied: ['~/.mine', '~/.gone'] })
    expect(read('.mine/a/b')).toBe('user')
    expect(readdirSync(home('.mine'))).toEqual(['a'])
    put(home('.mine/a/b'), 'agent')
    put(user('.mine/a/b'), 'later')
    await lay({ copied: ['~/.mine'] })
    expect([read('.mine/a/b'), readFileSync(user('.mine/a/b'), 'utf8')]).toEqual(['agent', 'later'])
  })

  it('[X19] that is too large is refused with what to write instead', async () => {
    const { user, lay, home } = stage()
    mkdirSync(user('.mine'), { recursive: true })
    writeFileSync(user('.mine/huge'), Buffer.alloc(65 * 1024 * 1024))
    await expect(lay({ copied: ['~/.mine'] })).rejects.toThrow(/~\/\.mine .*64 MiB.*keeps: \{ login/)
    expect(readdirSync(dirname(home('.')))).toEqual(['agent'])
  })
})

describe('a home that its agent prepared', () => {
  it.each<[string, (at: { home: (name: string) => string; dir: string }) => void]>([
    [
      'a link at the place of a file',
      ({ home, dir }) => symlinkSync(join(dir, 'target'), home('.mine/config')),
    ],
    [
      'a link at the place of a folder',
      ({ home, dir }) => {
        rmSync(home('.mine'), { recursive: true })
        symlinkSync(join(dir, 'target'), home('.mine'))
      },
    ],
    [
      'a folder at the place of a file',
      ({ home }) => mkdirSync(home('.mine/config/deep'), { recursive: true }),
    ],
    [
      'a file at the place of a folder',
      ({ home }) => {
        rmSync(home('.mine'), { recursive: true })
        writeFileSync(home('.mine'), '')
      },
    ],
    [
      'a link at the place of a folder that is shown',
      ({ home, dir }) => {
        rmSync(home('.mine/skills'), { recursive: true })
        symlinkSync(join(dir, 'target'), home('.mine/skills'))
      },
    ],
    ['a folder without rights', ({ home }) => chmodSync(home('.mine'), 0)],
  ])(
    '[X20] has neither anything written elsewhere nor the next session stopped by %s',
    async (_what, plant) => {
      const { put, user, home, dir, lay, read } = stage()
      mkdirSync(join(dir, 'target'))
      put(user('.mine/config'), 'mine')
      put(user('.mine/skills/s'), 's')
      const keeps = { settings: ['~/.mine/config', '~/.mine/skills'], sessions: ['~/.mine/sessions'] }
      await lay(keeps)
      rmSync(home('.mine/config'))
      plant({ home, dir })
      await lay(keeps)
      expect(read('.mine/config')).toBe('mine')
      expect(lstatSync(home('.mine/skills')).isDirectory()).toBe(true)
      expect(readdirSync(join(dir, 'target'))).toEqual([])
    },
  )
})
