/** The judge of whoever writes tests, with real patches on real repositories. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { git } from './clean-git.ts'
import { judgeTests } from './judge-tests.ts'

const LIB = '//! Sums.\npub fn add(x: i32, y: i32) -> i32 { x + y }\n'
const TESTS =
  '\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { assert_eq!(super::add(1, 2), 3) }\n}\n'

let dir = ''
const here = process.cwd()
const write = (file: string, text: string | Buffer): void => {
  mkdirSync(dirname(join(dir, file)), { recursive: true })
  writeFileSync(join(dir, file), text)
}
const inRepo = (...argv: string[]): string => {
  const { status, stdout, stderr } = spawnSync('git', ['-C', dir, ...argv], { encoding: 'latin1' })
  if (status !== 0) throw new Error(stderr)
  return stdout
}

beforeEach(() => {
  dir = realpathSync(mkdtempSync(join(tmpdir(), 'signalbox-judge-')))
  inRepo('init', '-q')
  write('src/lib.rs', LIB)
  write('tests/api.rs', 'fn a() {}\n')
  inRepo('add', '-A')
  inRepo('-c', 'user.name=a', '-c', 'user.email=a@a', 'commit', '-qm', 'base')
  process.chdir(dir)
})
afterEach(() => {
  process.chdir(here)
  rmSync(dir, { recursive: true, force: true })
})

/** What is written becomes a patch; the judge stands on the commit before it. */
function judged(change: () => void): readonly string[] {
  change()
  inRepo('add', '-A')
  const patch = inRepo('diff', '--cached', '--binary', '--full-index', 'HEAD')
  inRepo('reset', '-q', '--hard')
  const wrong = judgeTests(patch)
  if ('problem' in wrong) throw new Error(wrong.problem)
  return wrong
}

describe('the judge of tests', () => {
  it('[F8] lets test modules and whole files of tests through', () => {
    expect(judged(() => write('src/lib.rs', LIB + TESTS))).toEqual([])
    expect(judged(() => write('tests/more.rs', 'fn b() {}\n'))).toEqual([])
    expect(judged(() => write('crates/a/tests/more.rs', 'fn b() {}\n'))).toEqual([])
    expect(judged(() => write('test/a.test.js', 'x\n'))).toEqual([])
    expect(judged(() => {})).toEqual([])
  })

  it('[F8] refuses production code, and says where it is', () => {
    const [sentence] = judged(() => write('src/lib.rs', LIB.replace('x + y', 'x - y') + TESTS))
    expect(sentence).toContain(
      'src/lib.rs is changed outside of its test modules, at `+ y }`, where now stands `- y }`.',
    )
  })

  it.each([
    ['a new file of the sources', () => write('src/evil.rs', TESTS)],
    [
      'a folder of the sources that is only called tests',
      () => write('src/tests/evil.rs', 'pub fn evil() {}\n'),
    ],
    ['a build script', () => write('build.rs', 'fn main() {}\n')],
    ['a file that is gone', () => rmSync(join(dir, 'src/lib.rs'))],
    ['an ending in capitals', () => write('src/evil.RS', 'pub fn evil() {}\n')],
    ['a link among the tests', () => symlinkSync('../src/lib.rs', join(dir, 'tests/link.rs'))],
    [
      'a link in the place of the code',
      () => {
        rmSync(join(dir, 'src/lib.rs'))
        symlinkSync('../tests/api.rs', join(dir, 'src/lib.rs'))
      },
    ],
    ['what is no text', () => write('src/lib.rs', Buffer.from([0x2f, 0x2f, 0xff, 0xfe]))],
    [
      'letters that differ in a byte that looks blank elsewhere',
      () => write('src/lib.rs', LIB.replaceAll('add', '\u00e0dd')),
    ],
  ])('[F8] refuses %s', (_what, change) => {
    expect(judged(change)).toHaveLength(1)
  })

  it('[F8] a name cannot hide a file', () => {
    expect(judged(() => write('src/a\t"b\\.rs', 'pub fn evil() {}\n'))[0]).toContain('src/a\t"b\\.rs')
  })

  it('[F8] cannot judge what is no patch', () => {
    expect(judgeTests('not a patch')).toMatchObject({ problem: expect.stringContaining('cannot be read') })
    expect(git(['status', '--porcelain'])).toEqual({ output: '' })
  })
})
