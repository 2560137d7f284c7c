/** Files and modules that are no runbook, each with what the command should say of it. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'

type Maker = (path: string) => void

const holds = (content: string | Uint8Array): Maker => {
  return (path) => writeFileSync(path, content)
}

/** What stands at the path instead of a runbook, and the one diagnostic for it. */
export const ODD_FILES: [what: string, make: Maker, says: RegExp][] = [
  ['a path to nothing', () => {}, /:1:1 error\[unreadable\] .* does not exist/],
  ['a folder', (path) => mkdirSync(path), /:1:1 error\[unreadable\] .* is a folder/],
  [
    'a pipe',
    (path) => execFileSync('/usr/bin/env', ['mkfifo', path]),
    /:1:1 error\[unreadable\] .* is not a regular file/,
  ],
  ['two mebibytes', holds('a'.repeat(2 ** 21)), /:1:1 error\[unreadable\] .* 2048 KiB/],
  ['Latin-1', holds(Buffer.from('name: caf\u00E9\n', 'latin1')), /:1:10 error\[not-utf8\] .* 0xE9/],
  ['UTF-16', holds(Buffer.from('\uFEFFrunbook: 1\n', 'utf16le')), /:1:1 error\[not-utf8\]/],
  [
    'a link',
    (path) => symlinkSync('void', path),
    /:1:1 error\[unreadable\] .* is a link, which is not followed/,
  ],
  ['no bytes at all', holds(''), /:1:1 error\[wrong-type\]/],
  ['a byte order mark alone', holds('\uFEFF'), /:1:1 error\[wrong-type\]/],
]

export const FLOW = `{ runbook: 1, name: 'x', agents: { dev: {} }, steps: { a: { agent: 'dev', next: 'done' } } }`

/** A module, and the one diagnostic for it. */
export const ODD_MODULES: [what: string, text: string, says: RegExp][] = [
  ['that throws', `throw new Error('no luck today')`, /could not be run: no luck today/],
  ['that throws null', 'throw null', /could not be run: /],
  ['that does not parse', 'export default {', /could not be run: /],
  ['that imports a void', `import x from './void.ts'\nexport default x`, /could not be run: .*void\.ts/],
  ['that exports nothing', 'export const flow = 1', /exports nothing by default/],
  ['that is empty', '', /exports nothing by default/],
  ['that exports a function', 'export default () => 1', /exports nothing by default/],
  ['that holds itself', 'const a: any = {}\na.a = a\nexport default a', /could not be run: .*circular/],
  ['that exports a lot', `export default { name: 'x'.repeat(5 * 2 ** 20) }`, /exports more than 4 MiB/],
  ['that leaves', 'process.exit(0)', /exports nothing by default/],
  ['that is killed', `process.kill(process.pid, 'SIGKILL')`, /could not be run: /],
  [
    'that eats memory',
    'const a = []\nfor (;;) a.push(new Array(1e6).fill(1))',
    /could not be run: |ran for 4 seconds/,
  ],
  ['that waits in vain', 'await new Promise(() => {})\nexport default {}', /waits for something that can no/],
  ['that never ends', 'for (;;) {}', /ran for 4 seconds and had not come to an end/],
  [
    'that writes where its value goes',
    `import { writeSync } from 'node:fs'\nwriteSync(3, 'x')\nexport default ${FLOW}`,
    /where its value goes|could not be (run|read)/,
  ],
]

/** A module whose child goes on with its error stream in hand, under a name of its own. */
export const leavingChild = (name: string): string => `
import { spawn } from 'node:child_process'
const argv = ['-c', 'while :; do :; done', ${JSON.stringify(name)}]
spawn('/bin/sh', argv, { stdio: ['ignore', 'ignore', 'inherit'], detached: true })
throw new Error('gone')
`
