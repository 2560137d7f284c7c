/** A git in front of the real one that fails once, where it would write: as on a disk that is full for a moment. */
import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { createConfined } from './confined.ts'
import { temporaryFolder } from './repository.fixture.ts'

/** As no list of git's words has it. */
const SAID = 'fatal: something went wrong'

/** By what git is asked for, one after another as `a|b`. */
export function openFailingGit(words: string) {
  const dir = temporaryFolder()
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim()
  const [count, failing] = [join(dir, 'count'), join(dir, 'failing')]
  const script = `#!/bin/sh
for word in "$@"; do case "$word" in ${words})
  [ -e '${failing}' ] || break
  echo "$word" >> '${count}'
  read -r nth how < '${failing}'
  [ "$(wc -l < '${count}')" = "$nth" ] || break
  [ "$how" = late ] && '${real}' "$@" > /dev/null
  echo '${SAID}' >&2
  exit 128;; esac; done
exec '${real}' "$@"
`
  const program = join(dir, 'git')
  writeFileSync(program, script)
  chmodSync(program, 0o755)
  const before = process.env['PATH'] ?? ''
  const path = `${dir}:${before}`
  process.env['PATH'] = path
  onTestFinished(() => {
    process.env['PATH'] = before
  })
  return {
    confined: createConfined({
      sandboxFor: () => null,
      environment: { PATH: path, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null' },
      registry: null,
    }),
    /** From now on the nth of them fails: at once, or when it has done its work. */
    failAt: (nth: number, how: 'at once' | 'late') => {
      rmSync(count, { force: true })
      writeFileSync(failing, `${nth} ${how}\n`)
    },
    /** What it was asked for since. */
    asked: (): string[] => (existsSync(count) ? readFileSync(count, 'utf8').trim().split('\n') : []),
  }
}
