/**
 * Loaded before the host (`node --import`): its wall clock, and no other, goes by as much as a file says, and again whenever it
 * is told so with SIGUSR2. What only goes forward (`performance.now`, timers) stays as it is, as when somebody sets a clock.
 */
import { readFileSync } from 'node:fs'

const file = new URL(import.meta.url).searchParams.get('file') ?? ''
const Real = Date
let shiftMs = 0

function read() {
  try {
    shiftMs = Number(readFileSync(file, 'utf8'))
  } catch {
    // Nobody has set it yet.
  }
}
read()
process.on('SIGUSR2', read)

const now = () => Real.now() + shiftMs
globalThis.Date = new Proxy(Real, {
  construct: (target, args, made) => Reflect.construct(target, args.length === 0 ? [now()] : args, made),
  get: (target, key) => (key === 'now' ? now : Reflect.get(target, key)),
})
