/** What an administrator keeps in /opt. It must be there before anybody looks for a sandbox, so it is imported first. */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/** Null where only root may write there. */
export const plantedOpt = process.getuid?.() === 0 ? plant() : null

function plant(): string {
  const dir = mkdtempSync('/opt/signalbox-attack-')
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  for (const folder of ['app', 'app/closed', 'app/unlisted']) mkdirSync(join(dir, folder))
  for (const name of ['owner', 'closed/file', 'unlisted/file', 'group'])
    writeFileSync(join(dir, 'app', name), 'top-secret-opt\n')
  writeFileSync(join(dir, 'app/tool'), 'a tool\n')
  writeFileSync(join(dir, 'app/environment'), 'https_proxy=http://me:top-secret-opt@proxy.example.com\n')
  for (const [name, mode] of [
    ['', 0o755],
    ['app', 0o755],
    ['app/tool', 0o644],
    ['app/environment', 0o644],
    ['app/owner', 0o600],
    ['app/group', 0o640],
    ['app/closed', 0o700],
    ['app/unlisted', 0o711],
  ] as const)
    chmodSync(join(dir, name), mode)
  return dir
}
