/** A host to be killed: launches what it is told with a registry, says so, and waits. A program of its own. */
import { launch } from './launch.ts'
import { openProcessRegistry } from './registry.ts'

const [, , dir = '', ...scripts] = process.argv
const registry = openProcessRegistry({ dir })
const env = { PATH: process.env['PATH'] ?? '' }
for (const script of scripts)
  launch({ argv: ['sh', '-c', script], cwd: '/', env, sandbox: null }, { registry, label: 'an agent' })
process.stdout.write('ready\n')
setInterval(() => {}, 1_000)
