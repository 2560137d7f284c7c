/** What is out of sight in real folders. */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../process/process.fixture.ts'
import { concealedIn, prepareConcealed } from './concealed.ts'

function folderWith(files: Readonly<Record<string, string>>) {
  const dir = temporaryFolder()
  chmodSync(dir, 0o755)
  const write = (name: string, text: string, mode = 0o644) => {
    mkdirSync(dirname(join(dir, name)), { recursive: true })
    writeFileSync(join(dir, name), text)
    chmodSync(join(dir, name), mode)
  }
  for (const [name, text] of Object.entries(files)) write(name, text)
  const concealed = (by: 'rights' | 'names') =>
    concealedIn(by, [dir])
      .map(({ kind, at }) => `${kind} ${at.slice(dir.length + 1)}`)
      .sort()
  return { dir, write, concealed }
}

describe('[X21] what is not for everybody', () => {
  it('is out of sight: files, and folders whole', () => {
    const { dir, write, concealed } = folderWith({ 'open/file': 'a', 'closed/file': 'a', 'listed/file': 'a' })
    write('open/secret', 'a', 0o640)
    write('open/empty', '', 0o600)
    write('deep/er/tool', 'a', 0o750)
    chmodSync(join(dir, 'closed'), 0o700)
    chmodSync(join(dir, 'listed'), 0o754)
    expect(concealed('rights')).toEqual([
      'empty closed',
      'empty listed',
      'masked deep/er/tool',
      'masked open/secret',
    ])
  })

  it('goes with what is around it where it is too much to be named', () => {
    const { dir, write, concealed } = folderWith({ 'open/file': 'a' })
    for (let nth = 0; nth < 300; nth++) write(`data/of/${nth % 30}/${nth}`, 'a', 0o600)
    const shown = concealed('rights')
    expect(shown.length).toBeLessThan(200)
    for (let nth = 0; nth < 300; nth++) {
      const path = `data/of/${nth % 30}/${nth}`
      expect(
        shown.some((each) => path.startsWith(each.replace(/^\w+ /, ''))) || shown.includes('empty '),
      ).toBe(true)
    }
    expect(dir).not.toBe('')
  })
})

describe('[X22] files of credentials', () => {
  it('are out of sight by their names, and settings by what they say', async () => {
    const { dir, concealed } = folderWith({
      'v20/etc/npmrc': '//registry.example.com/:_authToken=hidden',
      'v22/etc/npmrc': 'prefix=/x',
      'v20/lib/node_modules/npm/npmrc': '_auth=hidden',
      'v20/lib/node_modules/other/test/.npmrc': '_auth=example',
      'envs/one/conda-meta/state': '{"env_vars":{}}',
      'envs/one/pip.conf': '[global]\nindex-url=https://user:hidden@example.com\n',
      'envs/one/state': 'a',
      '.netrc': 'machine a login b password c',
      'bin/tool': 'token=hidden',
    })
    symlinkSync('v20/etc/npmrc', join(dir, 'npmrc'))
    await prepareConcealed('names', [dir])
    expect([...new Set(concealed('names'))]).toEqual([
      'masked .netrc',
      'masked envs/one/conda-meta/state',
      'masked envs/one/pip.conf',
      'masked v20/etc/npmrc',
      'masked v20/lib/node_modules/npm/npmrc',
    ])
  })
})
