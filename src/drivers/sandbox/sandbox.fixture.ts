/** A real sandbox for tests. Where none can be made they are skipped, and fail in CI: there it must be possible. */
import { describe } from 'vitest'
import { findSandbox } from './find-sandbox.ts'
import { emptySandbox, type Sandbox, type SandboxEngine } from './sandbox.ts'

const found = await findSandbox()
if ('why' in found) {
  if (process.env['CI']) throw new Error(`The sandbox cannot be tested: ${found.why}`)
  console.warn(`The sandbox is not tested: ${found.why}`)
}

const engine: SandboxEngine =
  'engine' in found
    ? found.engine
    : { kind: 'bubblewrap', program: 'bwrap', perl: null, groups: null, limitsTemporary: true }

export const describeBoxed = describe.skipIf('why' in found)

export const boxed = (more: Partial<Sandbox>): Sandbox => ({ ...emptySandbox(engine), ...more })

/** As on a machine that lets us make no control groups. */
export const withoutGroups: SandboxEngine =
  engine.kind === 'bubblewrap' ? { ...engine, groups: null } : engine
