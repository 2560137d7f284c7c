// The attacks once more, as an ordinary user: root has powers in a sandbox that hide what an ordinary user could do, and the other
// way round. Only root can change to another user; anyone else has run them as such already.
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { argv, env, exit, getuid } from 'node:process'

const USER = '1000'
/** A test run of this checkout needs them, and no others. */
const LEFT_OUT = ['.git', 'node_modules']

if (getuid?.() !== 0) {
  console.log('The attacks ran as an ordinary user already.')
  exit(0)
}

// Temporary files are out of sight in a sandbox, so the checkout lies elsewhere, where the user can read it.
const dir = mkdtempSync('/var/tmp/signalbox-attacks-')
try {
  chmodSync(dir, 0o755)
  const to = join(dir, 'checkout')
  for (const name of readdirSync('.').filter((each) => !LEFT_OUT.includes(each)))
    cpSync(name, join(to, name), { recursive: true, verbatimSymlinks: true })
  // Thousands of files that are only read: linked where that is possible.
  const isLinked = spawnSync('cp', ['-rlP', 'node_modules', to], { stdio: 'ignore' }).status === 0
  if (!isLinked) execFileSync('cp', ['-rP', 'node_modules', to])
  // Folders, and files that are no links to those here.
  const own = ['(', '-type', 'd', '-o', '-not', '-path', join(to, 'node_modules', '*'), ')']
  execFileSync('find', [dir, ...own, '-exec', 'chown', '-h', `${USER}:${USER}`, '{}', '+'])
  const as = ['setpriv', '--reuid', USER, '--regid', USER, '--clear-groups']
  const vitest = [
    join(to, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--cache=false',
    ...(argv.length > 2 ? argv.slice(2) : ['test/attacks']),
  ]
  const { status } = spawnSync(as[0], [...as.slice(1), process.execPath, ...vitest], {
    cwd: to,
    stdio: 'inherit',
    env: {
      ...env,
      HOME: dir,
      USER: 'signalbox',
      LOGNAME: 'signalbox',
      TMPDIR: '/tmp',
      npm_config_cache: join(dir, '.npm'),
    },
  })
  if (status !== 0) exit(1)
} finally {
  rmSync(dir, { recursive: true, force: true })
}
