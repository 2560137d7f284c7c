/** What doctor says is in force, from real config files and a real home. */
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { findSandbox } from '../../drivers/index.ts'
import { createPlace } from '../config/config.fixture.ts'
import { sandboxFindings } from './sandbox-findings.ts'

const searchPath = process.env['PATH'] ?? ''
const boxedIt = it.skipIf('why' in (await findSandbox(searchPath)))

async function found(
  files: Parameters<typeof createPlace>[0],
  { path = searchPath, home = [] as string[] } = {},
): Promise<string[]> {
  const place = createPlace(files)
  const userHome = join(place.dir, 'me')
  for (const file of home) {
    mkdirSync(dirname(join(userHome, file)), { recursive: true })
    writeFileSync(join(userHome, file), '')
  }
  const environment = {
    home: join(userHome, '.local/share/signalbox'),
    configDir: place.configDir,
    user: 'me',
    searchPath: path,
    variables: { PATH: path, HOME: userHome, SECRET: '1', NPM_TOKEN: '1' },
    session: null,
    ownRun: null,
    issues: null,
    issueFolder: null,
  }
  const findings = await sandboxFindings(environment, place.repo)
  return findings.map(({ about, state, text }) => `${state} ${about}: ${text}`)
}

describe('[X9] [D26] the doctor', () => {
  boxedIt('shows what may be seen and reached, and what a project tightened', async () => {
    const told = await found(
      {
        user: 'sandbox: { readable: [~/notes], writable: [~/.cache/x], env: [NPM_TOKEN], memory: 2G }',
        project: 'sandbox: { use: required, network: [a.com] }',
      },
      { home: ['.cargo/bin/cargo'] },
    )
    expect(told).toEqual([
      expect.stringMatching(/^good sandbox: bubblewrap \(\S+\), required$/),
      expect.stringMatching(/^good sandbox: read: .*cargo \(~\/\.cargo\/bin\).*; by your config ~\/notes$/),
      expect.stringMatching(
        /^good sandbox: written: .*; by your config in copies of their own ~\/\.cache\/x$/,
      ),
      "good sandbox: reached: of the network a.com, and Signalbox's own tools",
      'good sandbox: limits: 4096 processes, 2048 MiB of memory, 65536 open files',
      expect.stringMatching(
        /^(?:good sandbox: limits are held by the kernel: control groups|note sandbox: limits are held by adding up) /,
      ),
      "note sandbox: this project tightens it: a sandbox is required; of the network a.com, and Signalbox's own tools",
      "good sandbox: environment: 3 of your 4 variables, by your config NPM_TOKEN; an agent has its own program's too",
      expect.stringMatching(/^good your config: \S+config\.yaml$/),
    ])
  })

  boxedIt('[D23] says where programs have to know of a proxy', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'signalbox-bin-'))
    onTestFinished(() => rmSync(bin, { recursive: true }))
    const bwrap = searchPath
      .split(delimiter)
      .map((folder) => join(folder, 'bwrap'))
      .find((path) => existsSync(path))
    symlinkSync(bwrap ?? '', join(bin, 'bwrap'))
    expect(await found({}, { path: bin })).toContainEqual(
      expect.stringMatching(
        /^note sandbox: only programs that know of a proxy reach hosts: perl is not installed/,
      ),
    )
  })

  it('says that there is none, and how bad that is', async () => {
    const [auto] = await found({}, { path: '/nowhere' })
    expect(auto).toMatch(/^note sandbox: none: .* work with your rights\.$/)
    const [required] = await found({ project: 'sandbox: required' }, { path: '/nowhere' })
    expect(required).toMatch(/^bad sandbox: none: /)
    const [off] = await found({ user: 'sandbox: off' })
    expect(off).toMatch(/^note sandbox: switched off in the config\./)
  })

  it('[X4] says which grants of the config are refused', async () => {
    const told = await found(
      { user: 'sandbox: { readable: ["~/.local/share"] }' },
      { home: ['.local/share/x'] },
    )
    expect(told).toContainEqual(
      expect.stringMatching(/^bad sandbox: The config grants ~\/\.local\/share, which holds/),
    )
  })
})
