/** How long a command takes to start, beside Node itself. */
import type { Measurement } from '../figure.ts'
import { BARE, startUpMs } from '../waiting.ts'

const COMMANDS = ['--help', 'ps']

export const START_UP: Measurement = {
  title: 'start-up',
  part: 'journal',
  limitSeconds: 60,
  figures: COMMANDS.map((command) => ({
    id: `start-up/${command.replace(/^-+/, '')}`,
    name: `signalbox ${command}`,
    unit: 'ms',
    better: 'lower',
    yardstick: 'starts',
  })),
  measure: async () => {
    const bare = startUpMs(BARE)
    return COMMANDS.map((command) => {
      const value = startUpMs([command])
      return { value, speed: 1000 / bare, says: '', base: { of: 'node itself', ratio: value / bare } }
    })
  },
}
