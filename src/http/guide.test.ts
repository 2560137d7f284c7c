/** docs/http.md: its commands are run, in order, against a real server, and print what it shows. */
import { execFileSync, spawn } from 'node:child_process'
import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { temporaryFolder } from '../host/workspace/repository.fixture.ts'
import { openOperations, serveOwner } from './doors.fixture.ts'

const guide = readFileSync('docs/http.md', 'utf8')
const blocks = [...guide.matchAll(/```(\w+)\n([\s\S]*?)```/g)].map(([, kind = '', text = '']) => ({
  kind,
  text,
}))

const has = (program: string): boolean => {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const MARK = '--- what this block printed ---'

/** One shell for all of them, because later ones use what earlier ones found. */
async function runAll(home: string): Promise<readonly string[]> {
  const script = blocks
    .filter(({ kind }) => kind === 'sh')
    .map(({ text }) => `${text}\necho; echo '${MARK}'`)
    .join('\n')
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    env: { ...process.env, SIGNALBOX_HOME: home },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk) => (out += chunk))
  child.stderr.on('data', (chunk) => (err += chunk))
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect([code, code === 0 ? '' : err]).toEqual([0, ''])
  return out.split(`${MARK}\n`)
}

/** Where the guide has an ellipsis, anything will do. */
function likeIt(shown: unknown): unknown {
  if (shown === '…') return expect.any(String)
  if (Array.isArray(shown)) return shown.map(likeIt)
  if (typeof shown !== 'object' || shown === null) return shown
  return Object.fromEntries(Object.entries(shown).map(([key, value]) => [key, likeIt(value)]))
}

describe.skipIf(!has('curl') || !has('jq'))('the guide to HTTP', () => {
  it('shows commands that work, and what they print', async () => {
    const { options } = openOperations()
    const { socket } = await serveOwner(options)
    const home = temporaryFolder()
    symlinkSync(socket, join(home, 'host.sock'))
    const printed = await runAll(home)
    const commands = blocks.filter(({ kind }) => kind !== 'yaml')
    let ran = -1
    let compared = 0
    for (const { kind, text } of commands) {
      if (kind === 'sh') ran++
      if (kind !== 'json') continue
      expect(JSON.parse(printed[ran]!)).toEqual(likeIt(JSON.parse(text)))
      compared++
    }
    expect(compared).toBe(6)
  }, 30_000)
})
