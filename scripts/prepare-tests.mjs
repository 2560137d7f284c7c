// What the tests need beside npm's packages: bubblewrap, for the sandbox, a browser, and for one sample project each Python and Rust. Installed where that is possible, said where not.
import { execFileSync } from 'node:child_process'

const works = (command, args) => {
  try {
    execFileSync(command, args, { stdio: 'ignore', timeout: 240_000 })
    return true
  } catch {
    return false
  }
}

const NEEDED = [
  { name: 'bubblewrap', program: 'bwrap', without: 'the tests of the sandbox' },
  { name: 'chromium', program: 'chromium', without: 'the tests of the web application' },
  { name: 'python3', program: 'python3', without: 'the test of issue-to-commit on a project in Python' },
  { name: 'cargo', program: 'cargo', without: 'the test of issue-to-commit on a project in Rust' },
]

const has = ({ program }) => works(program, ['--version'])
const install = ({ name }) => works('apt-get', ['install', '-y', '--no-install-recommends', name])
const mayInstall = process.getuid?.() === 0 && works('apt-get', ['--version'])

for (const each of NEEDED) {
  if (has(each)) continue
  if (mayInstall) {
    console.log(`${each.name} is missing; installing it with apt-get …`)
    if (!install(each) && works('apt-get', ['update'])) install(each)
  }
  if (!has(each))
    console.log(
      `${each.name} is not installed: ${each.without} will be skipped (apt-get install ${each.name}).`,
    )
}

console.log(
  'Real agents (Codex, Claude Code, goose) are not tried here: npm run test:agents installs and tries them.',
)
