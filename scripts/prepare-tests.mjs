// What the tests need beside npm's packages: bubblewrap, for the sandbox. Installed where that is possible, said where not.
import { execFileSync } from 'node:child_process'

const works = (command, args) => {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 240_000 })
    return true
  } catch {
    return false
  }
}

const has = () => works('bwrap', ['--version'])
const install = () => works('apt-get', ['install', '-y', '--no-install-recommends', 'bubblewrap'])

if (!has()) {
  const isRoot = process.getuid?.() === 0
  if (isRoot && works('apt-get', ['--version'])) {
    console.log('bubblewrap is missing; installing it with apt-get …')
    if (!install() && works('apt-get', ['update'])) install()
  }
  if (!has())
    console.log(
      'bubblewrap is not installed: the tests of the sandbox will be skipped (apt-get install bubblewrap).',
    )
}

console.log(
  'Real agents (Codex, Claude Code, goose) are not tried here: npm run test:agents installs and tries them.',
)
