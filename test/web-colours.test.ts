/** Text can be read on every ground it stands on, in both themes. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'

const css = readFileSync('src/web/ui/tokens.css', 'utf8')
const tokens = new Map(
  [...css.matchAll(/--([\w-]+): light-dark\((#[\da-f]{6}), (#[\da-f]{6})\)/g)].map(
    ([, name, light, dark]) => [name!, { light: light!, dark: dark! }],
  ),
)

const GROUNDS = ['ground', 'panel', 'sunk']
const PAIRS: [ink: string, grounds: string[]][] = [
  ['text', [...GROUNDS, 'idle-wash', 'waiting-wash', 'working-wash', 'done-wash', 'fault-wash']],
  ['muted', [...GROUNDS, 'idle-wash']],
  ['accent', GROUNDS],
  ['on-accent', ['accent']],
  ...['waiting', 'working', 'done', 'fault', 'idle'].map((status): [string, string[]] => [
    status,
    [...GROUNDS, `${status}-wash`, 'idle-wash'],
  ]),
]

describe.each(['light', 'dark'] as const)('the %s theme', (theme) => {
  it.each(PAIRS.flatMap(([ink, grounds]) => grounds.map((ground) => [ink, ground] as const)))(
    'shows %s on %s with a contrast of 4.5 or more',
    (ink, ground) => {
      expect(contrast(tokens.get(ink)![theme], tokens.get(ground)![theme])).toBeGreaterThanOrEqual(4.5)
    },
  )
})

function contrast(one: string, other: string): number {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (light + 0.05) / (dark + 0.05)
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
