/** Where people are told of decisions. A test is a real notice, sent now. */
import { useMemo, useState } from 'react'
import type { ChannelTest, ListedChannel } from '../../model/api/settings.ts'
import type { UserAction } from '../action/action.ts'
import { ActionButton } from '../action/action-button.tsx'
import { useActions } from '../action/actions.tsx'
import { isProblem } from '../live/ask.ts'
import { useLive } from '../live/live.tsx'
import { valueIn } from '../live/loaded.ts'
import { EmptyState } from '../ui/page.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { StatusShape } from '../ui/status.tsx'
import { AskedSection } from './asked-section.tsx'
import { channelText } from './settings.view.ts'
import styles from './settings-screen.module.css'
import { useAsked } from './use-asked.ts'

type TestState = 'going' | Pick<ChannelTest, 'detail' | 'result'>

export function ChannelsSection() {
  const { ask } = useLive()
  const asked = useAsked<readonly ListedChannel[]>('settings channels', () =>
    ask('GET /api/v1/settings/channels', {}),
  )
  const channels = valueIn(asked.loaded) ?? NONE
  const { tests, test } = useTests()
  const actions = useTestActions({ channels, tests, test })
  return (
    <AskedSection
      label="Channels"
      asked={asked}
      says={(all) => countText(all)}
      meanwhile="Reading your config …"
      actions={channels.length > 1 ? actions.slice(0, 1) : []}
    >
      {(all) =>
        all.length === 0 ? (
          <NoChannels />
        ) : (
          <ul className={styles.rows}>
            {all.map((channel) => (
              <ChannelItem
                key={channel.id}
                channel={channel}
                test={tests.get(channel.id) ?? null}
                action={actions.find(({ id }) => id === `settings.test.${channel.id}`)!}
              />
            ))}
          </ul>
        )
      }
    </AskedSection>
  )
}

const NONE: readonly ListedChannel[] = []

function countText(channels: readonly ListedChannel[]): string {
  const broken = channels.filter(({ problem }) => problem !== null).length
  const all = `${channels.length} ${channels.length === 1 ? 'channel' : 'channels'}`
  if (channels.length === 0) return 'Nobody is told of anything, but here.'
  return broken === 0 ? `${all}. Addresses are not shown here.` : `${all}, of which ${broken} cannot be used.`
}

function useTests() {
  const { ask } = useLive()
  const [tests, setTests] = useState<ReadonlyMap<string, TestState>>(new Map())
  const test = async (channel: string): Promise<void> => {
    const tell = (state: TestState): void => setTests((known) => new Map(known).set(channel, state))
    tell('going')
    const answer = await ask('POST /api/v1/settings/channels/{channel}/test', { params: { channel } })
    tell(isProblem(answer) ? { result: 'failed', detail: answer.problem } : answer)
  }
  return { tests, test }
}

interface TestActions extends ReturnType<typeof useTests> {
  readonly channels: readonly ListedChannel[]
}

function useTestActions({ channels, tests, test }: TestActions): readonly UserAction[] {
  const usable = channels.filter(({ problem }) => problem === null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rest is made anew with these
  const actions = useMemo(
    (): readonly UserAction[] => [
      {
        ...{ id: 'settings.test', label: 'Send a test to every channel', group: 'Settings', keys: ['t'] },
        available: usable.length > 0,
        run: () => {
          for (const { id } of usable) void test(id)
        },
      },
      ...channels.map(({ id, name, problem }) => ({
        ...{ id: `settings.test.${id}`, label: `Send a test to ${name}`, group: 'Settings', keys: [] },
        available: problem === null && tests.get(id) !== 'going',
        run: () => void test(id),
      })),
    ],
    [channels, tests],
  )
  useActions(actions)
  return actions
}

interface ChannelItemProps {
  readonly channel: ListedChannel
  readonly test: TestState | null
  readonly action: UserAction
}

function ChannelItem({ channel, test, action }: ChannelItemProps) {
  const { name, problem, inForce } = channel
  return (
    <li className={styles.row}>
      <StatusShape
        sign={problem === null ? (inForce ? 'done' : 'idle') : 'fault'}
        word={problem === null ? (inForce ? 'in force' : 'not yet in force') : 'cannot be used'}
      />
      <div className={styles.about}>
        <h2 className={styles.name}>
          <SafeText text={name} />
        </h2>
        <p className={styles.note}>
          <SafeText text={channelText(channel)} />
        </p>
        {problem === null ? null : (
          <p className={styles.fault}>
            <SafeText text={`It cannot be used: ${problem}.`} />
          </p>
        )}
        {inForce ? null : (
          <p>Your config has it since this host was started: it is used from its next start on.</p>
        )}
      </div>
      <div className={styles.deed}>
        <ActionButton action={action} short="Send a test" />
        <span role="status" className={styles.note}>
          <TestResult test={test} />
        </span>
      </div>
    </li>
  )
}

function TestResult({ test }: { readonly test: TestState | null }) {
  if (test === null) return null
  if (test === 'going') return <>It is sent …</>
  const isSent = test.result === 'sent'
  return (
    <span className={styles.result}>
      <StatusShape sign={isSent ? 'done' : 'fault'} word={isSent ? 'sent' : 'not sent'} />
      <SafeText text={`${isSent ? 'sent' : 'not sent'}: ${test.detail}`} />
    </span>
  )
}

const NoChannels = () => (
  <EmptyState title="No channel is configured">
    <p>
      A channel tells people of decisions where they are: on the desktop, by ntfy, Slack or a webhook. Add{' '}
      <code>notify:</code> to your config, such as <code>{'notify: [ { desktop: true } ]'}</code>.
    </p>
  </EmptyState>
)
