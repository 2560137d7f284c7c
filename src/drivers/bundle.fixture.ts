/** Programs as the product ships them, each as one file; `test/programs.setup.ts` has made them. */
import { join } from 'node:path'
import { inject } from 'vitest'

export const bundledAgent = (): string => join(inject('programs'), 'scripted-agent.mjs')

export const bundledBridge = (): string => join(inject('programs'), 'mcp-bridge.mjs')
