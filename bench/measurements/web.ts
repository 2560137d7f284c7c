/** What a browser must fetch, and the inbox of ten thousand in it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { cpuSpeed } from '../cpu-speed.ts'
import type { Figure, Measurement, Reading } from '../figure.ts'
import { webInboxTimes } from '../web-inbox.ts'

const ASSETS = 'dist/web/assets'
const OPEN = 10_000

const size = (id: string, name: string): Figure => ({
  id: `web/${id}`,
  name,
  unit: 'KB',
  better: 'lower',
  yardstick: null,
})

/** Each part by what its file is named after; `index` is all that is needed before anything is shown. */
const PARTS = [
  'index',
  'palette',
  'markdown-text',
  'diff-text',
  'run-screen',
  'board-screen',
  'runs-screen',
] as const

export const WEB_SIZE: Measurement = {
  title: 'web, packed script by part',
  part: 'core',
  limitSeconds: 20,
  figures: PARTS.map((part) => size(`script/${part}`, part === 'index' ? 'first load' : part)),
  measure: async () => {
    const files = readdirSync(ASSETS).filter((name) => name.endsWith('.js'))
    return PARTS.map((part): Reading => {
      const found = files.filter((name) => name.startsWith(`${part}-`))
      const bytes = found.map((name) => gzipSync(readFileSync(join(ASSETS, name))).byteLength)
      const value = bytes.reduce((sum, each) => sum + each, 0) / 1000
      return { value: Math.round(value * 10) / 10, speed: null, says: '', base: null }
    })
  },
}

const time = (id: string, name: string): Figure => ({
  id: `web/inbox/${id}`,
  name,
  unit: 'ms',
  better: 'lower',
  yardstick: 'cpu',
})

export const WEB_INBOX: Measurement = {
  title: `web, inbox of ${OPEN.toLocaleString('en')}`,
  part: 'journal',
  limitSeconds: 180,
  figures: [
    time('first-card', 'first card'),
    time('next-card/p50', 'key to next card, p50'),
    time('next-card/p99', 'key to next card, p99'),
    { ...time('smooth-frames', 'frames within 17 ms'), unit: 'of 100', better: 'higher' },
    time('slowest-frame', 'slowest frame'),
  ],
  measure: async () => {
    const speed = cpuSpeed()
    const times = await webInboxTimes(OPEN)
    const values =
      times === null
        ? [null, null, null, null, null]
        : [times.firstCard, times.nextCard.p50, times.nextCard.p99, times.smooth, times.slowestFrame]
    return values.map((value) => ({ value, speed, says: value === null ? 'no browser' : '', base: null }))
  },
}
