// What is told of the pages without running them. Two at a time, as this is mostly one thread each; a check speaks when it is over.
import { spawn } from 'node:child_process'

const AT_ONCE = 2
const waiting = ['types', 'lint', 'borders', 'unused']
const failed = []

function check(name) {
  const startedAt = performance.now()
  const child = spawn('npm', ['run', '--silent', name], { stdio: ['ignore', 'pipe', 'pipe'] })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => {
      said += text
    })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => {
      const tookS = ((performance.now() - startedAt) / 1000).toFixed(1)
      console.log(`${code === 0 ? '✓' : '✗'} ${name} (${tookS} s)`)
      if (code !== 0) {
        failed.push(name)
        console.log(said.trimEnd())
      }
      resolve()
    })
  })
}

async function work() {
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await check(name)
}

await Promise.all(Array.from({ length: AT_ONCE }, work))
if (failed.length > 0) {
  console.log(`\nNot right: ${failed.join(', ')}. One alone: npm run ${failed[0]}`)
  process.exitCode = 1
}
