/** Runs one TypeScript runbook and hands its default export over as JSON on descriptor 3. A program of its own. */
import { writeSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createJiti } from 'jiti'

const [, , file = ''] = process.argv
const builder = fileURLToPath(new URL('../index.js', import.meta.url))
const jiti = createJiti(import.meta.url, {
  alias: { signalbox: builder },
  fsCache: false,
  interopDefault: false,
})
try {
  // The first byte tells that what runs from now on is the runbook; to JSON it is a blank.
  writeSync(3, ' ')
  const module = await jiti.import<{ default?: unknown }>(file)
  // Where there is no default export, the loader would offer the whole module as one.
  const value = Object.hasOwn(module, 'default') ? module.default : undefined
  const json = value === undefined ? '' : (JSON.stringify(value) ?? '')
  for (let bytes = Buffer.from(json), sent = 0; sent < bytes.length; ) sent += writeSync(3, bytes, sent)
  process.exit(0)
} catch (error) {
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`${told}\n`)
  process.exit(1)
}
