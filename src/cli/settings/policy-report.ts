/** The user's policies, each held against all that people ever answered here, and those that their answers speak for. */
import { setImmediate as breathe } from 'node:timers/promises'
import { type BackTest, backTest } from '../../attention/suggestion.ts'
import type { Operations } from '../../host/operations.ts'
import type { ListedPolicy, PolicyReport, PolicyTrial } from '../../model/api/settings.ts'
import { hasErrors } from '../../model/diagnostic.ts'
import type { Rejection } from '../../model/refusal.ts'
import { readHistory } from '../attention/decision-history.ts'
import { policyLines, scopeText } from '../attention/policy.ts'
import { readPolicyFile } from '../attention/policy-file.ts'
import { ratifySuggested } from '../attention/ratify.ts'
import { readSuggestions } from '../attention/suggestions.ts'
import { diagnosticLine } from '../hosting/start-order.ts'

interface PoliciesHere {
  readonly configDir: string
  readonly now: number
}

type History = Pick<Operations, 'decisions'>

/** What `signalbox policy suggest` takes where nobody says otherwise. */
const SUGGESTING = { since: 30 * 86_400_000, min: 5, disagreeing: true } as const
const MOST_CASES = 50

export async function reportPolicies(
  operations: History,
  { configDir, now }: PoliciesHere,
): Promise<PolicyReport> {
  const { file, policies, diagnostics } = readPolicyFile(configDir)
  const problems = diagnostics.filter(({ severity }) => severity === 'error').map(diagnosticLine)
  if (hasErrors(diagnostics)) return { file, problems, policies: [], suggested: [] }
  const history = await readHistory(operations, { status: 'closed', sinceAt: 0 })
  const listed: ListedPolicy[] = []
  for (const { when, ...line } of policyLines(policies, { history, now })) {
    // Each takes a walk through all of it: others come in between.
    await breathe()
    const policy = policies.find(({ name }) => name === line.name)
    listed.push({
      ...line,
      when: when === null ? null : scopeText(when),
      backTest: policy === undefined ? null : trialOf(backTest(policy, history)),
    })
  }
  const { suggested } = await readSuggestions(operations, { ...SUGGESTING, now, inForce: policies })
  return {
    ...{ file, problems, policies: listed },
    suggested: suggested.map(({ policy: { name, until, answer, when }, same, of, backTest: tested }) => ({
      ...{ name, until, answer, same, of },
      when: scopeText(when),
      backTest: trialOf(tested),
    })),
  }
}

export async function ratifyPolicy(
  { name, history }: { readonly name: string; readonly history: History },
  { configDir, now }: PoliciesHere,
): Promise<{ readonly name: string; readonly until: string } | Rejection> {
  const file = readPolicyFile(configDir)
  if (hasErrors(file.diagnostics))
    return { code: 'cannot-write', problem: file.problem ?? `${file.file} cannot be read.` }
  const { suggested: found } = await readSuggestions(history, { ...SUGGESTING, now, inForce: file.policies })
  const done = ratifySuggested({ name, found, file, now })
  return 'problem' in done ? done : { name: done.name, until: done.until }
}

const trialOf = ({ answered, disagreed }: BackTest): PolicyTrial => ({
  answered,
  disagreed: disagreed.length,
  cases: disagreed.slice(0, MOST_CASES),
})
