/** A cloned repository whose runbook names files that are none of its business, so that its agents get to read them. */
import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { readConfig } from '../../src/cli/config/config.ts'
import { findRunbook } from '../../src/cli/runbooks/find-runbook.ts'
import { readNamedFile } from '../../src/cli/runbooks/runbook-files.ts'
import { compileFile } from '../../src/cli/runbooks/sources.ts'
import { createRepositoryAt, type Place } from '../../src/host/workspace/repository.fixture.ts'
import { attackIt } from './attack.fixture.ts'
import { isSecret, settleVictim, victimAt } from './victim.fixture.ts'

// Not among temporary files: those have rules of their own.
const ground = realpathSync(mkdtempSync('/var/tmp/signalbox-names-'))
afterAll(() => rmSync(ground, { recursive: true, force: true }))
const victim = victimAt(ground)
settleVictim(victim)
const NOTES = join(victim.documents, 'letters/1.txt')
Object.assign(process.env, { ...victim.environment, SIGNALBOX_CONFIG: join(ground, 'config') })

const prompting = (prompt: string): string =>
  `runbook: 1\nname: evil\nagents: { dev: {} }\nsteps: { a: { agent: dev, prompt: ${prompt}, next: done } }\n`

interface Trap {
  /** The runbook that is compiled. */
  readonly runbook: string
  /** What it would read if all were followed. */
  readonly loot: string
  readonly says: RegExp
}

/** Each in a clone of its own, `dir` being below the victim's home. */
const TRAPS: Readonly<Record<string, (clone: Place) => Trap>> = {
  'a prompt that is a link to a key': (clone) => {
    clone.write('.signalbox/evil.yaml', prompting('key.md'))
    symlinkSync(join(victim.home, '.ssh/id_ed25519'), join(clone.dir, '.signalbox/key.md'))
    return trap(clone, 'key.md', /key\.md is a link, which is not followed/)
  },
  'a prompt that is a link to the environment of the host': (clone) => {
    clone.write('.signalbox/evil.yaml', prompting('key.md'))
    // Of a program of ours with the victim's environment, as the host is one.
    symlinkSync('/proc/self/environ', join(clone.dir, '.signalbox/key.md'))
    const loot = execFileSync('cat', [join(clone.dir, '.signalbox/key.md')], { encoding: 'latin1' })
    return { ...trap(clone, 'key.md', /is a link, which is not followed/), loot }
  },
  'a prompt outside the repository': (clone) => {
    clone.write('.signalbox/evil.yaml', prompting('../../documents/letters/1.txt'))
    return trap(clone, '../../documents/letters/1.txt', /leads out of .*clone/)
  },
  'a prompt by its absolute path': (clone) => {
    clone.write('.signalbox/evil.yaml', prompting(NOTES))
    return { ...trap(clone, 'evil.yaml', /is an absolute path/), loot: readFileSync(NOTES, 'utf8') }
  },
  'a prompt in a folder that is a link': (clone) => {
    clone.write('.signalbox/evil.yaml', prompting('prompts/1.txt'))
    symlinkSync(join(victim.documents, 'letters'), join(clone.dir, '.signalbox/prompts'))
    return trap(clone, 'prompts/1.txt', /prompts\/1\.txt lies behind a link \(\.signalbox\/prompts\)/)
  },
  'a prompt behind a link that leads back in through another folder': (clone) => {
    clone.write('.signalbox/evil.yaml', prompting('way/../../../documents/letters/1.txt'))
    mkdirSync(join(clone.dir, 'deep/er/and'), { recursive: true })
    symlinkSync('../deep/er/and', join(clone.dir, '.signalbox/way'))
    return { ...trap(clone, 'evil.yaml', /leads out of/), loot: readFileSync(NOTES, 'utf8') }
  },
  'a file of the user that git ignores': (clone) => {
    clone.write('.gitignore', '*.txt\n')
    clone.write('.signalbox/evil.yaml', prompting('../passwords.txt'))
    clone.write('passwords.txt', 'top-secret-ignored\n')
    return trap(clone, '../passwords.txt', /is ignored by git/)
  },
  'a file that git ignores, beside names that git cannot judge': (clone) => {
    clone.write('.gitignore', '*.txt\n')
    clone.write(
      '.signalbox/evil.yaml',
      `runbook: 1
name: evil
agents: { dev: {} }
steps:
  a: { agent: dev, prompt: '\${file("../way/x")}', next: b }
  b: { agent: dev, prompt: ":(top,odd)x.md", next: c }
  c: { agent: dev, prompt: ../passwords.txt, next: done }
`,
    )
    clone.write('.signalbox/:(top,odd)x.md', 'odd\n')
    clone.write('passwords.txt', 'top-secret-ignored\n')
    symlinkSync('.signalbox', join(clone.dir, 'way'))
    return trap(clone, '../passwords.txt', /is ignored by git|git could not say/)
  },
  'a part of the runbook that is a link': (clone) => {
    clone.write(
      '.signalbox/evil.yaml',
      'runbook: 1\nname: evil\nsteps: { a: { flow: part.yaml, options: { done: done } } }\n',
    )
    write(join(victim.home, 'own/part.yaml'), prompting('top-secret-prompt'))
    symlinkSync(join(victim.home, 'own/part.yaml'), join(clone.dir, '.signalbox/part.yaml'))
    return trap(clone, 'part.yaml', /part\.yaml is a link/)
  },
  'a part outside, whose own prompts lie beside it': (clone) => {
    write(join(victim.home, 'own/whole.yaml'), prompting('secret.md'))
    write(join(victim.home, 'own/secret.md'), 'top-secret-part\n')
    clone.write(
      '.signalbox/evil.yaml',
      'runbook: 1\nname: evil\nsteps: { a: { flow: ../../own/whole.yaml, options: { done: done } } }\n',
    )
    return trap(clone, '../../own/secret.md', /leads out of/)
  },
  'a runbook that is a link to one of another project': (clone) => {
    write(join(victim.home, 'own/flow.yaml'), prompting('top-secret-flow'))
    mkdirSync(join(clone.dir, '.signalbox'))
    symlinkSync(join(victim.home, 'own/flow.yaml'), join(clone.dir, '.signalbox/evil.yaml'))
    return trap(clone, 'evil.yaml', /evil\.yaml is a link/)
  },
  'runbooks in a folder that is a link to another repository': (clone) => {
    const other = createRepositoryAt(join(victim.home, 'linked'), {
      'evil.yaml': prompting('top-secret-flow'),
    })
    symlinkSync(other.dir, join(clone.dir, '.signalbox'))
    return trap(clone, 'evil.yaml', /lies behind a link of/)
  },
  'a folder without git in a home that is a repository': (clone) => {
    createRepositoryAt(victim.home, {})
    rmSync(join(clone.dir, '.git'), { recursive: true })
    clone.write('.signalbox/evil.yaml', prompting('../../documents/letters/1.txt'))
    return trap(clone, '../../documents/letters/1.txt', /leads out of .*clone\S*\/\.signalbox/)
  },
  'a runbook that was put into the home itself': () => {
    write(join(victim.home, 'evil.yaml'), prompting('documents/letters/1.txt'))
    const loot = readFileSync(NOTES, 'utf8')
    return { runbook: join(victim.home, 'evil.yaml'), loot, says: /lies in .*, among other things/ }
  },
}

const write = (file: string, text: string): void => {
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const trap = (clone: Place, names: string, says: RegExp): Trap => ({
  runbook: join(clone.dir, '.signalbox/evil.yaml'),
  loot: readFileSync(join(clone.dir, '.signalbox', names), 'utf8'),
  says,
})

attackIt(
  '[W30] [W31] [L25] what a runbook names is read inside its repository, or not at all',
  async ({ task }) => {
    for (const [title, set] of Object.entries(TRAPS)) {
      const name = `clone-${Object.keys(TRAPS).indexOf(title)}`
      const { runbook, loot, says } = set(createRepositoryAt(join(victim.home, name), {}))
      expect(isSecret(loot), `${title}: there is nothing to steal`).toBe(true)
      const compiled = await compileFile(runbook)
      expect([title, isSecret(JSON.stringify(compiled))]).toEqual([title, false])
      expect([title, compiled.program]).toEqual([title, null])
      expect(compiled.diagnostics.map(({ message }) => message).join('\n'), title).toMatch(says)
      rmSync(join(victim.home, '.git'), { recursive: true, force: true })
    }
    task.meta.deeds = Object.keys(TRAPS).length
  },
)

attackIt(
  '[W30] nor is a config, a scenario or the list of runbooks read through a link',
  async ({ task }) => {
    const clone = createRepositoryAt(join(victim.home, 'settings'), {})
    const place = join(clone.dir, '.signalbox')
    mkdirSync(place)
    symlinkSync(join(victim.home, '.aws/credentials'), join(place, 'config.yaml'))
    symlinkSync(join(victim.home, '.aws/credentials'), join(place, 'play.yaml'))
    symlinkSync(join(victim.home, '.aws/credentials'), join(place, 'one.yaml'))
    const { diagnostics } = readConfig({ configDir: join(ground, 'config'), repo: clone.dir })
    const told = [JSON.stringify(diagnostics), JSON.stringify(readNamedFile(join(place, 'play.yaml')))]
    for (const each of told) {
      expect(each).toContain('is a link, which is not followed')
      expect(isSecret(each)).toBe(false)
    }
    rmSync(place, { recursive: true })
    symlinkSync(join(victim.home, 'own'), place)
    expect(findRunbook('part', clone.dir)).toMatchObject({
      problem: expect.stringContaining('There is no runbook'),
    })
    task.meta.deeds = 4
  },
)

attackIt(
  '[W30] what a repository may name is read: other folders of it, up to its size',
  async ({ task }) => {
    const clone = createRepositoryAt(join(victim.home, 'honest'), {
      'docs/plan.md': 'The plan.',
      '.signalbox/good.yaml': prompting('../docs/plan.md'),
      '.signalbox/large.yaml': prompting('large.md'),
      '.signalbox/large.md': 'x'.repeat(600 * 1024),
    })
    const good = await compileFile(join(clone.dir, '.signalbox/good.yaml'))
    expect(good.diagnostics).toEqual([])
    expect(JSON.stringify(good.program)).toContain('The plan.')
    const large = await compileFile(join(clone.dir, '.signalbox/large.yaml'))
    expect(large.diagnostics.map(({ message }) => message)).toEqual([
      'The prompt file large.md has 600 KiB; at most 512 KiB are read.',
    ])
    // Another way to the same repository is the user's own.
    symlinkSync(clone.dir, join(tmpdir(), `signalbox-way-${process.pid}`))
    try {
      const way = join(tmpdir(), `signalbox-way-${process.pid}`, '.signalbox/good.yaml')
      expect((await compileFile(way)).diagnostics).toEqual([])
    } finally {
      rmSync(join(tmpdir(), `signalbox-way-${process.pid}`))
    }
    task.meta.deeds = 1
  },
)
