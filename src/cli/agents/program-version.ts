/** Asks a program for its version: its first line, within a bound, and nothing of it left running. */
import { setTimeout as delay } from 'node:timers/promises'
import { launch } from '../../drivers/index.ts'
import { visible } from '../terminal/terminal.ts'

/** Some unpack themselves at their first start, and a machine that is busy takes its time. */
const PATIENCE_MS = 20_000
const DRAIN_MS = 300
const LONGEST = 40

/** Null where it does not say. */
export async function askVersion({
  program,
  env,
  patienceMs = PATIENCE_MS,
}: {
  readonly program: string
  readonly env: Readonly<Record<string, string>>
  readonly patienceMs?: number
}): Promise<string | null> {
  const running = launch({ argv: [program, '--version'], cwd: '/', env, sandbox: null })
  let said = ''
  running.stdout.setEncoding('utf8').on('data', (text: string) => {
    if (said.length < 4096) said += text
  })
  // One that does not know the option and waits for input must not wait.
  running.stdin.end()
  const exit = await Promise.race([running.exited, delay(patienceMs, null, { ref: false })])
  // Something that it left behind may hold its output.
  if (exit !== null) await Promise.race([running.closed, delay(DRAIN_MS, null, { ref: false })])
  await running.stop(0)
  return exit?.code === 0 ? visible(said.trim().split('\n')[0] ?? '').slice(0, LONGEST) || null : null
}
