/** `issue-to-commit` from end to end on projects in Python and Rust: tests first, seen to fail without the work, and nobody beyond their part. */
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import {
  expectEnd,
  flowHouses,
  flowProgram,
  issue,
  says,
  split,
  tracked,
  verdict,
  write,
} from './flow.fixture.ts'

const openHouse = flowHouses()
const printed = (program: string, ...argv: string[]): string | null => {
  const { status, stdout } = spawnSync(program, argv, { encoding: 'utf8' })
  return status === 0 ? stdout.trim() : null
}
/** Where they really are: what stands on the path may be a proxy that looks into a home folder. */
const PYTHON = printed('python3', '-c', 'import sys; print(sys.executable)')
const RUST = printed('cargo', '--version') === null ? null : printed('rustc', '--print', 'sysroot')

const inPython = PYTHON === null ? it.skip : it.concurrent
const inRust = RUST === null ? it.skip : it.concurrent

const PYTHON_FILES = {
  'sums.py': 'def double(x):\n    return 2 * x\n',
  'test_sums.py':
    'import unittest\nimport sums\n\n\nclass Sums(unittest.TestCase):\n    def test_double(self):\n        self.assertEqual(sums.double(2), 4)\n',
  '.gitignore': '__pycache__/\n',
  'TODO/1.md': issue('Triple'),
}
const TRIPLE_TEST =
  'import unittest\nimport sums\n\n\nclass Triple(unittest.TestCase):\n    def test_triple(self):\n        self.assertEqual(sums.triple(2), 6)\n'

inPython(
  '[F5] [F6] Python: said to be untestable, made, and tested after all: the tests are seen to fail without the work',
  async () => {
    const house = await openHouse({
      test: `'${PYTHON}' -m unittest -v`,
      files: PYTHON_FILES,
      plays: {
        split: [split([{ title: 'Triple numbers', files: ['sums.py'] }], 'yes')],
        stub: [
          [write('sums.py', `${PYTHON_FILES['sums.py']}\n\ndef triple(x):\n    raise NotImplementedError\n`)],
        ],
        'write_tests#1': [[says({ state: 'not_testable', reason: 'Who could test that?' })]],
        confirm_untestable: [[says({ decision: 'agreed', reason: 'Nobody could.' })]],
        'implement#1': [
          [
            write('sums.py', `${PYTHON_FILES['sums.py']}\n\ndef triple(x):\n    return 3 * x\n`),
            says({ decision: 'complete' }),
          ],
        ],
        'final_review#1@check': [
          verdict('untested', {
            feedback: 'triple(2) can be compared with 6',
            findings: [{ title: 'triple is not tested' }],
          }),
        ],
        'write_tests#2': [
          [
            write('test_triple.py', TRIPLE_TEST),
            // What is not a test is undone, and told.
            write('sums.py', 'hacked\n'),
            says({ state: 'ready', tests: ['test_triple'], failure: 'NotImplementedError' }),
          ],
          [
            write('test_triple.py', TRIPLE_TEST),
            says({ state: 'ready', tests: ['test_triple'], failure: 'NotImplementedError' }),
          ],
        ],
        'implement#2': [[says({ decision: 'complete' })]],
        'final_review#2@check': [verdict('acceptable', { findings: [{ id: 'F1', status: 'fixed' }] })],
      },
    })
    const run = await house.start({ program: flowProgram(), vars: { issue: '1' } })
    await expectEnd(run, 'done')
    const reviews = run.prompts().filter((prompt) => prompt.includes('Review all that this run did'))
    expect(
      reviews.filter((prompt) => prompt.includes('Who could test that?') && prompt.includes('Nobody could.')),
    ).toHaveLength(2)
    expect(reviews).toHaveLength(4)
    expect((await run.all('visit.left')).find(({ step }) => step === 'verify_red')?.outcome).toBe('red')
    expect((await run.until('boundary.held')).files).toEqual(['sums.py'])
    expect(run.work.read('sums.py')).toContain('return 3 * x')
    // The stubs are a commit of their own.
    const commits = (await run.all('work.committed')).map(({ step }) => step)
    expect(commits).toEqual(['stub', 'implement', 'write_tests'])
    const told = tracked(house, 'TODO/1.md')
    expect(told).toContain('status: Done')
    expect(told).not.toContain('Made without tests')
  },
)

const LIB = 'pub fn double(x: i32) -> i32 {\n    2 * x\n}\n'
const STUB = `${LIB}\npub fn triple(_x: i32) -> i32 {\n    todo!()\n}\n`
const module = (body: string): string => `\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n${body}}\n`
const EMPTY_TEST = '    #[test]\n    fn triples() {\n        let _: fn(i32) -> i32 = triple;\n    }\n'
const TEST = '    #[test]\n    fn triples() {\n        assert_eq!(triple(2), 6);\n    }\n'
const ready = says({ state: 'ready', tests: ['tests::triples'], failure: 'not yet implemented' })

inRust(
  '[F5] [F8] Rust: stubs, tests in their module alone, none that passes without the work, and a fix that is written down first',
  async () => {
    const house = await openHouse({
      test: `PATH='${RUST}/bin':"$PATH" CARGO_HOME="$PWD/target/home" '${RUST}/bin/cargo' test --offline --lib`,
      files: {
        'Cargo.toml': '[package]\nname = "sums"\nversion = "0.1.0"\nedition = "2021"\n',
        'Cargo.lock': 'version = 3\n\n[[package]]\nname = "sums"\nversion = "0.1.0"\n',
        'src/lib.rs': LIB,
        '.gitignore': 'target/\n',
        'TODO/1.md': issue('Triple'),
      },
      plays: {
        split: [split([{ title: 'Triple numbers', files: ['src/lib.rs'] }], 'yes')],
        stub: [[write('src/lib.rs', STUB)]],
        // The work instead of its test, then a test that says nothing.
        'write_tests#1': [
          [write('src/lib.rs', STUB.replace('todo!()', '6') + module(TEST)), ready],
          [write('src/lib.rs', STUB + module(EMPTY_TEST)), ready],
        ],
        'write_tests#2': [[write('src/lib.rs', STUB + module(TEST)), ready]],
        implement: [
          [
            write('src/lib.rs', STUB.replace('_x', 'x').replace('todo!()', 'x + x + x') + module(TEST)),
            says({ decision: 'complete' }),
          ],
        ],
        'final_review#1@check': [
          verdict('production_code', { feedback: 'Say 3 * x', findings: [{ title: 'Three sums' }] }),
        ],
        specify_fix: [[write('.signalbox/run/task-fix-1.md', 'F1: say 3 * x in src/lib.rs\n')]],
        fix: [[write('src/lib.rs', STUB.replace('_x', 'x').replace('todo!()', '3 * x') + module(TEST))]],
        'final_review#2@check': [verdict('acceptable', { findings: [{ id: 'F1', status: 'fixed' }] })],
      },
    })
    const run = await house.start({ program: flowProgram(), vars: { issue: '1' } })
    await expectEnd(run, 'done')
    const left = (await run.all('visit.left'))
      .filter(({ step }) => step === 'verify_red')
      .map(({ outcome }) => outcome)
    expect(left).toEqual(['structural_only', 'red'])
    const refused = (await run.all('answer.refused')).map(({ message }) => message).join()
    expect(refused).toContain('src/lib.rs is changed outside of its test modules')
    expect(run.work.read('src/lib.rs')).toContain('3 * x')
    expect((await run.all('work.committed')).map(({ step }) => step)).toEqual([
      'stub',
      'write_tests',
      'write_tests',
      'implement',
      'fix',
    ])
    expect((await run.all('artifact.kept')).map(({ name }) => name)).toContain('task-fix-1.md')
    expect(tracked(house, 'TODO/1.md')).toContain('status: Done')
  },
)
