/** The doors through which a person answers a decision: each is used as its user would use it. */
import { spawn } from 'node:child_process'
import type { ListedDecision } from '../../src/host/inbox/decisions.ts'
import { secretsAt } from '../../src/http/keys.fixture.ts'
import { createLinks } from '../../src/http/links.ts'
import { commandOf } from '../host-process.fixture.ts'
import type { Around } from './traffic.fixture.ts'

/** `taken`: the answer stands, we were told so. `refused`: it does not, and why. */
export type Said = { readonly taken: true } | { readonly refused: string; readonly isExpected: boolean }

export type Door = (around: Around, decision: ListedDecision, pick: string) => Promise<Said>

export const DOORS: Readonly<Record<'api' | 'link' | 'command', Door>> = {
  api: async ({ operations, chance }, { id, digest }, pick) => {
    const holdMs = chance.happens(0.3) ? 300 : 0
    const answer = { pick, note: '', fields: {}, edited: null, digest, together: false, holdMs }
    const done = await operations.decisions.answer(id, answer)
    return 'answered' in done ? TAKEN : refused(done)
  },
  link: async ({ project, door }, { id, digest }, pick) => {
    const link = createLinks({ url: door.url, secrets: secretsAt(project.home) })({
      id,
      person: 'maria',
      digest,
    })
    const response = await fetch(`${link}&pick=${encodeURIComponent(pick)}`, {
      method: 'POST',
      redirect: 'manual',
    })
    if (response.status === 303) return TAKEN
    return { refused: `${response.status}`, isExpected: [404, 409, 503].includes(response.status) }
  },
  command: async ({ project }, { id }, pick) => {
    const { code, err } = await command(project.env, project.repo, [
      'decision',
      'answer',
      id,
      pick.replace(/^@/, ''),
    ])
    if (code === 0) return TAKEN
    if (code === null) return { refused: 'it was killed', isExpected: true }
    return { refused: err, isExpected: EXPECTED_WORDS.test(err) }
  },
}

const TAKEN = { taken: true } as const

/** Answered by another request, or closed meanwhile. */
const EXPECTED = new Set([
  'already-answered',
  'unknown-question',
  'not-waiting',
  'ended',
  // A fault of the same step that came after the first one is another question.
  'stale',
  'cannot-write',
])
/** What the command says of that, of a host that went under it, and of a full disk. */
const EXPECTED_WORDS =
  /already answered|No question|is (?:withdrawn|superseded|expired|acted)|does not answer|Another process|has ended|Nothing can be written/

const refused = ({ code, problem }: { readonly code: string; readonly problem: string }): Said => ({
  refused: `${code}: ${problem}`,
  isExpected: EXPECTED.has(code),
})

function command(
  env: Readonly<Record<string, string>>,
  cwd: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly err: string }> {
  return new Promise((done) => {
    const [program, ...words] = commandOf(args)
    const child = spawn(program!, words, { env, cwd, stdio: ['ignore', 'ignore', 'pipe'] })
    let err = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      err += text
    })
    child.once('close', (code) => done({ code, err }))
  })
}
