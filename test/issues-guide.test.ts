/** docs/issues.md is what happens. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { exchangesIn, openShell } from './console-page.fixture.ts'

it('[I12] the guide to issues does what it says, and prints what stands there', async () => {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-issues-')))
  const env = {
    ...{ HOME: home, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', NO_COLOR: '1' },
    PATH: `${resolve('bin')}:${process.env['PATH']}`,
  }
  const shell = openShell({ cwd: home, env })
  try {
    for (const { command, printed } of exchangesIn('docs/issues.md'))
      expect([command, await shell.run(command)]).toEqual([command, printed])
  } finally {
    shell.close()
    rmSync(home, { recursive: true })
  }
}, 120_000)
