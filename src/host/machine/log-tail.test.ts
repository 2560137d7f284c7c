import { spawn } from 'node:child_process'
import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../../until.fixture.ts'
import { temporaryFolder } from '../workspace/repository.fixture.ts'
import { tailLog } from './log-tail.ts'

const line = (text: string): string =>
  `${JSON.stringify({ at: 1, step: 's', visit: 1, who: 'w', kind: 'text', text })}\n`

function openTail({ before = '', from = 0 }: { before?: string; from?: number | 'end' } = {}) {
  const dir = join(temporaryFolder(), 'logs')
  const file = join(dir, 'r1.jsonl')
  if (before !== '') {
    mkdirSync(dir)
    writeFileSync(file, before)
  }
  const seen: string[] = []
  let next = 0
  const tail = tailLog(file, {
    from,
    onLine: ({ text }, after) => {
      seen.push(text)
      next = after
    },
  })
  onTestFinished(() => tail.stop())
  return { dir, file, tail, seen, next: () => next }
}

describe('the tail of a log', () => {
  it('is all there is, and then what comes', async () => {
    const { file, tail, seen } = openTail({ before: line('one') + line('two') })
    tail.read()
    expect(seen).toEqual(['one', 'two'])
    appendFileSync(file, line('three'))
    await until(() => seen.length === 3, 'the third line')
    tail.read()
    expect(seen).toEqual(['one', 'two', 'three'])
  })

  it('tells where it goes on, in bytes, and goes on there', () => {
    const [one, two] = [line('Größe'), line('two')]
    const { file, tail, next } = openTail({ before: one })
    tail.read()
    expect(next()).toBe(Buffer.byteLength(one))
    appendFileSync(file, two)
    const later: string[] = []
    const rest = tailLog(file, { from: next(), onLine: ({ text }) => later.push(text) })
    onTestFinished(() => rest.stop())
    rest.read()
    expect(later).toEqual(['two'])
  })

  it('begins at the end where only news is wanted', async () => {
    const { file, tail, seen } = openTail({ before: line('old'), from: 'end' })
    tail.read()
    expect(seen).toEqual([])
    appendFileSync(file, line('new'))
    await until(() => seen.length === 1, 'the new line')
    expect(seen).toEqual(['new'])
  })

  it('waits for a file that is not there yet, and takes no notice of others', async () => {
    const { dir, file, tail, seen } = openTail()
    tail.read()
    writeFileSync(join(dir, 'other.jsonl'), line('of another run'))
    writeFileSync(file, line('first'))
    await until(() => seen.length === 1, 'the first line')
    expect(seen).toEqual(['first'])
    expect(readdirSync(dir)).toHaveLength(2)
  })

  it('puts lines together that were written in parts, within a letter too', () => {
    const { file, tail, seen } = openTail({ before: line('début') })
    tail.read()
    const bytes = Buffer.from(line('é'.repeat(100_000)))
    for (let at = 0; at < bytes.length; at += 33_333) {
      appendFileSync(file, bytes.subarray(at, at + 33_333))
      tail.read()
    }
    expect(seen).toEqual(['début', 'é'.repeat(100_000)])
  })

  it('passes over what a crash cut off', () => {
    const { file, tail, seen } = openTail({ before: '{"at":1,"text":"cut of\n' })
    appendFileSync(file, line('whole'))
    tail.read()
    expect(seen).toEqual(['whole'])
  })

  it('says nothing after it was stopped', async () => {
    const { file, tail, seen } = openTail({ before: line('one') })
    tail.read()
    tail.stop()
    const others: string[] = []
    const other = tailLog(file, { from: 'end', onLine: ({ text }) => others.push(text) })
    onTestFinished(() => other.stop())
    appendFileSync(file, line('two'))
    await until(() => others.length === 1, 'another one sees it')
    expect(seen).toEqual(['one'])
  })

  it.skipIf(process.platform !== 'linux')(
    '[X25] is read now and then where no file watch is left, and says so once',
    async () => {
      const { file } = openTail({ before: line('one') })
      const page = new URL('./log-tail.ts', import.meta.url).pathname
      const script = `
      import { tailLog } from ${JSON.stringify(page)}
      const tail = tailLog(${JSON.stringify(file)}, {
        from: 0,
        onLine: ({ text }) => { console.log(text); if (text === 'two') { tail.stop(); console.log('stopped') } },
        onUnwatched: (why) => console.log(why),
      })
      tail.read()`
      // A user namespace has limits of its own: nobody else's watches are touched.
      const child = spawn(
        'unshare',
        [
          ...['-Ur', 'sh', '-c', 'echo 0 > /proc/sys/user/max_inotify_instances && exec "$@"', 'sh'],
          ...[process.execPath, '--import', 'tsx', '--input-type=module', '-e', script],
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      onTestFinished(() => void child.kill('SIGKILL'))
      let said = ''
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
      })
      await until(() => said.includes('one'), 'the first line')
      appendFileSync(file, line('two'))
      await until(() => said.includes('stopped'), 'the second line')
      expect(said).toMatch(
        /^No file watch is left \(EMFILE: .*\): the log is read every 0\.5 s\.\none\ntwo\nstopped\n$/,
      )
    },
  )
})
