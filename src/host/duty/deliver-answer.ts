/**
 * The answer to a decision from outside any run, given to the command its asker named: the envelope on standard input,
 * the decision's id in the environment, so that a second delivery after a crash can be recognised.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { runShell } from '../../drivers/index.ts'
import { type StandaloneDuty, standaloneEnvelope } from '../../engine/index.ts'
import type { Claim } from '../../journal/index.ts'
import { argvText } from '../../model/argv.ts'
import { lastCharacters } from '../../model/characters.ts'
import { withoutOurs } from '../confinement/environment.ts'
import { deliver } from '../inbox/deliver.ts'
import type { Standalones } from '../inbox/standalones.ts'
import type { Clock } from '../machine/clock.ts'
import { findProgram } from '../machine/find-program.ts'
import type { CommandNeeds } from './command.ts'

export interface DeliveryNeeds extends CommandNeeds {
  readonly standalones: Standalones
  readonly clock: Clock
}

export interface StandaloneWork {
  readonly decision: string
  readonly duty: StandaloneDuty
  readonly claim: Claim
  readonly signal: AbortSignal
}

const TIME_LIMIT_MS = 60 * 60_000
const LONGEST = 2000

export async function deliverAnswer(needs: DeliveryNeeds, work: StandaloneWork): Promise<void> {
  const { standalones, clock, log } = needs
  const { decision, claim, signal } = work
  const missing = await whatIsMissing(needs, decision)
  if (missing !== null) {
    await standalones.execute(
      decision,
      { type: 'decision.fail', at: clock.now(), detail: missing },
      { settle: claim },
    )
    return
  }
  const begun = await deliver(clock, {
    question: decision,
    session: null,
    via: 'command',
    record: (command) => standalones.execute(decision, command),
  })
  if (begun === null) return
  const { resume, record } = begun
  const envelope = standaloneEnvelope(begun)
  if (resume === null || envelope === null) return
  let heard = false
  const result = await runShell({
    command: argvText(resume.argv),
    cwd: resume.cwd,
    // The user's own command, which only they could name: it has what they have.
    env: {
      ...withoutOurs(needs.processEnvironment.environment),
      SIGNALBOX_DECISION: record.id,
      SIGNALBOX_PICK: record.pick,
      SIGNALBOX_NOTE: record.note.replaceAll('\0', ''),
    },
    sandbox: null,
    timeLimitMs: TIME_LIMIT_MS,
    input: envelope,
    signal,
    registry: needs.registry,
    onLines: (text) => {
      log.write('host', { step: '', visit: 0, who: `decision ${record.id}`, kind: 'output', text })
    },
    onOutput: () => {
      if (heard) return
      heard = true
      // What cannot be written now is written with what comes of it.
      standalones.execute(decision, { type: 'decision.acknowledge', at: clock.now() }).catch(() => {})
    },
  })
  if (result.aborted) return
  const at = clock.now()
  const said = lastCharacters(result.output.trim(), LONGEST)
  if (result.exitCode === 0)
    await standalones.execute(
      decision,
      { type: 'decision.act', at, question: decision, did: `ran ${resume.argv[0]}` },
      { settle: claim },
    )
  else {
    const how = result.timedOut ? 'took too long' : `ended with ${result.exitCode ?? 'nothing'}`
    const detail = `${resume.argv.join(' ')} ${how}${said === '' ? '' : `: ${said}`}`
    await standalones.execute(decision, { type: 'decision.fail', at, detail }, { settle: claim })
  }
}

/** Told as that, and not as something the program did. */
async function whatIsMissing(
  { standalones, processEnvironment }: DeliveryNeeds,
  decision: string,
): Promise<string | null> {
  const { argv: [name = ''] = [], cwd = '' } = (await standalones.load(decision))?.resume ?? {}
  if (!existsSync(cwd)) return `The folder in which its command is run is not there: ${cwd}`
  const path = name.startsWith('.') ? join(cwd, name) : name
  return findProgram(path, processEnvironment.environment['PATH'] ?? '') === null
    ? `There is no program "${name}" on the host's PATH.`
    : null
}

/** A deadline has come. */
export async function passDecisionTime(
  { standalones, clock }: DeliveryNeeds,
  work: StandaloneWork,
): Promise<void> {
  const at = Math.max(clock.now(), work.duty.dueAt)
  await standalones.execute(work.decision, { type: 'time.pass', at }, { settle: work.claim })
}
