/**
 * The judge of whoever writes tests: given their patch, on the commit before it. Which files they may write says their role; here it
 * is said what of a Rust file is theirs (its test modules), and that nothing but plain files comes of it.
 */
import { isUtf8 } from 'node:buffer'
import { EXIT } from '../exit.ts'
import { git } from './clean-git.ts'
import { productionCode } from './rust-test-modules.ts'

/** What is wrong with the patch; empty where nothing is. */
export function judgeTests(patch: string): readonly string[] | { readonly problem: string } {
  if (patch.trim() === '') return []
  const applied = git(['apply', '--cached', '--whitespace=nowarn', '-'], patch)
  if ('problem' in applied) return { problem: `The patch cannot be read: ${applied.problem}` }
  const told = git(['diff', '--cached', '--raw', '-z', '--no-renames', '--abbrev=40', 'HEAD'])
  if ('problem' in told) return told
  return changesIn(told.output).flatMap((change) => wrongWith(change) ?? [])
}

/** Neither yes nor no, as every judge says it: 126. */
export const CANNOT_JUDGE = 126
export const REFUSED = EXIT.failed

interface Change {
  /** One character a byte. */
  readonly path: string
  readonly mode: string
  readonly status: string
  readonly before: string
  readonly after: string
}

function changesIn(raw: string): Change[] {
  const parts = raw.split('\0')
  const changes: Change[] = []
  for (let index = 0; index + 1 < parts.length; index += 2) {
    const [, mode = '', before = '', after = '', status = ''] = parts[index]!.split(' ')
    changes.push({ path: parts[index + 1]!, mode, before, after, status })
  }
  return changes
}

const PLAIN = ['100644', '100755', '000000']

function wrongWith({ path, mode, status, before, after }: Change): string | null {
  const name = utf8(path)
  if (!PLAIN.includes(mode)) return `${name}: only plain files can be tests, neither links nor repositories.`
  if (!/\.rs$/i.test(path) || isTestFile(path)) return null
  if (status !== 'M')
    return `${name}: a Rust file outside of a crate's tests/ folder is production code. Tests for it stand in a \`#[cfg(test)] mod tests { … }\` of a file that is there, or in tests/.`
  const [old, now] = [git(['cat-file', 'blob', before]), git(['cat-file', 'blob', after])]
  if ('problem' in old || 'problem' in now || !isText(old.output) || !isText(now.output))
    return `${name} cannot be read as text.`
  const [was, is] = [productionCode(utf8(old.output)), productionCode(utf8(now.output))]
  if ('problem' in was)
    return `${name} cannot be read as it was before (${was.problem}), so its test modules cannot be told from the rest.`
  if ('problem' in is) return `${name} cannot be read as Rust: ${is.problem}.`
  const at = was.tokens.findIndex((token, index) => token !== is.tokens[index])
  if (at < 0 && was.tokens.length === is.tokens.length) return null
  const [had, has] = [was, is].map(({ tokens }) =>
    tokens
      .slice(at < 0 ? was.tokens.length : at)
      .slice(0, 8)
      .join(' '),
  )
  return `${name} is changed outside of its test modules, at \`${had || 'its end'}\`, where now stands \`${has || 'nothing'}\`. Only what is inside of \`#[cfg(test)] mod NAME { … }\` is yours there: an item of the file or of a \`mod\`, with \`#[cfg(test)]\` as its first attribute.`
}

/** Of a crate's folder of tests: not of its sources, where a folder of that name is a module like any. */
function isTestFile(path: string): boolean {
  const folders = path.split('/').slice(0, -1)
  const tests = folders.indexOf('tests')
  return tests >= 0 && !folders.slice(0, tests).includes('src')
}

const utf8 = (bytes: string): string => Buffer.from(bytes, 'latin1').toString('utf8')
const isText = (bytes: string): boolean => isUtf8(Buffer.from(bytes, 'latin1'))
