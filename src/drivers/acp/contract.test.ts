import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bundledAgent } from '../bundle.fixture.ts'
import { driverContract } from '../contract.fixture.ts'
import { env } from '../process/process.fixture.ts'
import { createAcpDriver } from './driver.ts'

const agentFile = bundledAgent()

driverContract(
  'acp',
  { resumes: true, reportsUsage: true, asksPermission: true, speaksProtocol: true },
  () => ({
    driver: createAcpDriver({ registry: null }),
    launch: (turns, cwd) => {
      const script = join(cwd, 'script.json')
      writeFileSync(script, JSON.stringify({ sessions: [{ turns }] }))
      const argv = [process.execPath, agentFile, '--script', script, '--state', join(cwd, 'state')]
      return { argv, cwd, env, sandbox: null }
    },
  }),
)
