/** What a browser must fetch before anything is shown. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'

const DIR = 'dist/web/assets'
const scripts = readdirSync(DIR).filter((name) => name.endsWith('.js'))
const first = [...readFileSync('dist/web/index.html', 'utf8').matchAll(/assets\/([\w.-]+\.js)/g)].map(
  ([, name]) => name!,
)

describe('the web application as it is shipped', () => {
  it('loads less than 250 KB of packed script before it shows something', () => {
    const sizes = first.map((name) => gzipSync(readFileSync(join(DIR, name))).byteLength)
    expect(sizes.length).toBeGreaterThan(0)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000)
  })

  it('has no schemas in it: only the types of the routes', () => {
    expect(scripts.filter((name) => /ZodError|_zod/.test(readFileSync(join(DIR, name), 'utf8')))).toEqual([])
  })

  it('brings what is not always needed when it is', () => {
    const late = ['markdown-text', 'diff-text', 'palette'].map((part) =>
      scripts.find((name) => name.startsWith(part)),
    )
    expect(late.every((name) => name !== undefined && !first.includes(name))).toBe(true)
  })

  it('has nothing inline, and asks nobody else', () => {
    const page = readFileSync('dist/web/index.html', 'utf8')
    expect(page).not.toMatch(/<style|style=|<script>|\son\w+=|https?:/)
    expect(first.length).toBeGreaterThan(0)
  })
})
