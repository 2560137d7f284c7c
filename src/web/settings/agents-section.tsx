/** The agents of this machine, what each can do, and what will not work with it. One that is asked is started for that, and ended. */
import { useMemo, useState } from 'react'
import type { AgentList, KnownAgent } from '../../model/api/settings.ts'
import type { UserAction } from '../action/action.ts'
import { ActionButton } from '../action/action-button.tsx'
import { useActions } from '../action/actions.tsx'
import { isProblem } from '../live/ask.ts'
import { useLive } from '../live/live.tsx'
import { valueIn } from '../live/loaded.ts'
import { useSay } from '../ui/notice.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { StatusShape } from '../ui/status.tsx'
import { AskedSection } from './asked-section.tsx'
import { Problems } from './problems.tsx'
import { Sentence } from './sentence.tsx'
import { abilitiesOf, agentSign, agentWord, canBeAsked, sandboxText, silenceText } from './settings.view.ts'
import styles from './settings-screen.module.css'
import { useAsked } from './use-asked.ts'

/** As `signalbox agents --probe` does: each is a heavy program. */
const AT_ONCE = 2

export function AgentsSection() {
  const { ask } = useLive()
  const asked = useAsked<AgentList>('settings agents', () => ask('GET /api/v1/settings/agents', {}))
  const { probing, probed, probe } = useProbes()
  const agents = (valueIn(asked.loaded)?.agents ?? []).map((agent) => probed.get(agent.name) ?? agent)
  const actions = useProbeActions({ agents, probing, probe })
  return (
    <AskedSection
      label="Agents"
      asked={asked}
      says={({ agents: all }) => <Sentence text={agentsText(all)} />}
      meanwhile="Looking for agents, and asking each for its version …"
      actions={actions.slice(0, 1)}
    >
      {({ problems }) => (
        <>
          <Problems problems={problems} />
          <ul className={styles.rows}>
            {agents
              .filter(({ path }) => path !== null)
              .map((agent) => (
                <AgentItem
                  key={agent.name}
                  agent={agent}
                  action={actions.find(({ id }) => id === actionId(agent)) ?? null}
                  isAsked={probing.has(agent.name)}
                />
              ))}
          </ul>
          <Missing agents={agents.filter(({ path }) => path === null)} />
        </>
      )}
    </AskedSection>
  )
}

function agentsText(agents: readonly KnownAgent[]): string {
  const installed = agents.filter(({ path }) => path !== null).length
  const usual = agents.find(({ isDefault }) => isDefault)
  const serves =
    usual === undefined ? 'Nothing serves `use: default` yet.' : `\`use: default\` is ${usual.name}.`
  return `${installed} of ${agents.length} known agents ${installed === 1 ? 'is' : 'are'} installed. ${serves}`
}

const actionId = ({ name }: KnownAgent): string => `settings.probe.${name}`

/** What was answered since the list came. */
function useProbes() {
  const { ask } = useLive()
  const say = useSay()
  const [probing, setProbing] = useState<ReadonlySet<string>>(new Set())
  const [probed, setProbed] = useState<ReadonlyMap<string, KnownAgent>>(new Map())
  const probeOne = async (agent: string): Promise<void> => {
    const answer = await ask('POST /api/v1/settings/agents/{agent}/probe', { params: { agent } })
    if (isProblem(answer)) say({ sign: 'fault', text: answer.problem })
    else setProbed((known) => new Map(known).set(agent, answer))
    setProbing((going) => new Set([...going].filter((name) => name !== agent)))
  }
  const probe = async (names: readonly string[]): Promise<void> => {
    setProbing((going) => new Set([...going, ...names]))
    const waiting = [...names]
    const work = async (): Promise<void> => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) await probeOne(next)
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
  }
  return { probing, probed, probe }
}

interface ProbeActions {
  readonly agents: readonly KnownAgent[]
  readonly probing: ReadonlySet<string>
  readonly probe: (names: readonly string[]) => Promise<void>
}

function useProbeActions({ agents, probing, probe }: ProbeActions): readonly UserAction[] {
  const names = agents.filter(canBeAsked).map(({ name }) => name)
  const known = names.join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the names are the same as long as their text is
  const actions = useMemo(
    (): readonly UserAction[] => [
      {
        ...{ id: 'settings.probe', label: 'Ask every agent what it can do', group: 'Settings', keys: ['p'] },
        available: names.some((name) => !probing.has(name)),
        run: () => void probe(names.filter((name) => !probing.has(name))),
      },
      ...names.map((name) => ({
        ...{ id: `settings.probe.${name}`, label: `Ask ${name} what it can do`, group: 'Settings', keys: [] },
        available: !probing.has(name),
        run: () => void probe([name]),
      })),
    ],
    [known, probing],
  )
  useActions(actions)
  return actions
}

interface AgentItemProps {
  readonly agent: KnownAgent
  readonly action: UserAction | null
  readonly isAsked: boolean
}

function AgentItem({ agent, action, isAsked }: AgentItemProps) {
  const { name, isDefault, standsFor, version, driver, path, askedAt, lacks } = agent
  const abilities = abilitiesOf(agent)
  const silence = silenceText(agent)
  return (
    <li className={styles.row} aria-busy={isAsked}>
      <StatusShape sign={agentSign(agent)} word={agentWord(agent)} />
      <div className={styles.about}>
        <h2 className={styles.name}>
          <SafeText text={name} />
          {isDefault ? <span className={styles.mark}>default</span> : null}
          <span className={styles.note}>
            <SafeText
              text={[version ?? 'version not told', driver ?? ''].filter((part) => part !== '').join(' · ')}
            />
          </span>
        </h2>
        <p className={styles.note}>
          <code>
            <SafeText text={standsFor === null ? (path ?? '') : `stands for ${standsFor}`} />
          </code>
        </p>
        {abilities.length === 0 ? null : (
          <p>
            <SafeText text={`It ${abilities.join(', ')}.`} />
          </p>
        )}
        {sandboxText(agent) === '' ? null : (
          <p className={styles.note}>
            <SafeText text={sandboxText(agent)} />
          </p>
        )}
        {silence === null ? null : (
          <p className={styles.fault}>
            <SafeText text={silence} />
          </p>
        )}
        {lacks.length === 0 ? null : (
          <details className={styles.more}>
            <summary>What does not work with it, or not as usual: {lacks.length}</summary>
            <ul>
              {lacks.map((text) => (
                <li key={text}>
                  <Sentence text={text} />
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
      <div className={styles.deed}>
        {action === null ? null : (
          <ActionButton action={action} short={isAsked ? 'It is asked …' : 'Ask it'} />
        )}
        <span className={styles.note}>
          {action === null ? '' : askedAt === null ? 'never asked' : `asked ${askedAt.slice(0, 10)}`}
        </span>
      </div>
    </li>
  )
}

function Missing({ agents }: { readonly agents: readonly KnownAgent[] }) {
  if (agents.length === 0) return null
  return (
    <details className={styles.missing}>
      <summary>
        {agents.length} more {agents.length === 1 ? 'is' : 'are'} known, and not installed
      </summary>
      <dl className={styles.facts}>
        {agents.map(({ name, install }) => (
          <div key={name}>
            <dt>
              <SafeText text={name} />
            </dt>
            <dd>
              <code>
                <SafeText text={install === '' ? 'not installed' : install} />
              </code>
            </dd>
          </div>
        ))}
      </dl>
    </details>
  )
}
