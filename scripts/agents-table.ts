// Writes the table of docs/agents.md from what the conformance suite recorded.
import { readFileSync, writeFileSync } from 'node:fs'
import { READY_AGENTS } from '../src/host/ready-agents/ready-agents.ts'
import { guideTable, withTable } from '../test/agents/guide-table.ts'
import { readSeen } from '../test/agents/seen.ts'

const GUIDE = 'docs/agents.md'
const seen = readSeen()
const agents = READY_AGENTS.map(({ name }) => name)
const behaviours = [...new Set(Object.values(seen).flatMap((each) => Object.keys(each.behaviours)))]
const table = guideTable(seen, { agents, behaviours })
writeFileSync(GUIDE, withTable(readFileSync(GUIDE, 'utf8'), table))
