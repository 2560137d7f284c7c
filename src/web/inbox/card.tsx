/** A decision: the question, then what speaks for an answer, then the options; always in that order. */
import { Link } from '@tanstack/react-router'
import { PERMISSION_KIND } from '../../model/decision.ts'
import type { DecisionRecord } from '../../model/decision-record.ts'
import { signOfDecision } from '../../model/status-sign.ts'
import { SafeMarkdown } from '../ui/markdown.tsx'
import { useNow } from '../ui/now.ts'
import { PlainText } from '../ui/plain-text.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { StatusTag } from '../ui/status.tsx'
import { clockText, durationText } from '../ui/time.ts'
import styles from './card.module.css'
import { ChangesSince } from './changes-since.tsx'
import { sectionsOf } from './context-section.ts'
import { ContextSections } from './context-sections.tsx'
import { endingOf } from './ending.view.ts'
import { EvidenceFacts } from './evidence-facts.tsx'

const HALF_MINUTE_MS = 30_000

export function CardBody({
  record,
  others,
}: {
  readonly record: DecisionRecord
  readonly others: readonly string[]
}) {
  const { shown, cause, earlier, kind } = record
  // A command is shown letter by letter: Markdown would hide some of it.
  const isMarkdown = (cause === 'agent' || cause === 'outside') && kind !== PERMISSION_KIND
  const { lead, sections } = sectionsOf(shown.context, isMarkdown ? 'agents' : 'commands')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also from the keyboard
    <section className={styles.body} tabIndex={0} aria-label="The decision">
      <div className={styles.column}>
        <Crumb record={record} others={others} />
        <h2 className={styles.headline}>
          <SafeText text={shown.headline} />
        </h2>
        {shown.question === shown.headline ? null : (
          <p className={styles.question}>
            <SafeText text={shown.question} />
          </p>
        )}
        {shown.detail.trim() === '' ? null : (
          <div className={styles.detail}>
            <PlainText text={shown.detail} />
          </div>
        )}
        {lead === '' ? null : (
          <div className={styles.detail}>
            <SafeMarkdown text={lead} />
          </div>
        )}
        <Ending record={record} />
        <ChangesSince record={record} before={earlier} />
        <EvidenceFacts record={record} />
        <ContextSections sections={sections} />
      </div>
    </section>
  )
}

function Crumb({ record, others }: { readonly record: DecisionRecord; readonly others: readonly string[] }) {
  const now = useNow(HALF_MINUTE_MS)
  const { run, step, openedAt, expiresAt, reminders, snoozedUntil, assignee, confined, kind, asker } = record
  const parts = [
    run === null ? `${asker?.agent || 'somebody'} asks from outside any run` : '',
    run !== null && asker !== null ? `${asker.agent} asks` : '',
    step === null ? '' : `step ${step}`,
    kind,
    `asked ${durationText(now - openedAt)} ago`,
    reminders === 0 ? '' : `${reminders} ${reminders === 1 ? 'reminder' : 'reminders'} went`,
    expiresAt === null ? '' : `open till ${clockText(expiresAt, now)}`,
    snoozedUntil !== null && snoozedUntil > now ? `sleeps till ${clockText(snoozedUntil, now)}` : '',
    assignee === null ? '' : `for ${assignee}`,
    confined === 'none' ? 'no sandbox held its agents' : '',
  ].filter((part) => part !== '')
  return (
    <div className={styles.crumb}>
      <Link to="/inbox" className={styles.back} aria-label="Back to the list" search={true}>
        ‹ Inbox
      </Link>
      <StatusTag sign={signOfDecision(record, now)}>{STATUS_WORDS[record.status]}</StatusTag>
      <span>
        {run === null ? null : (
          <>
            <Link to="/runs/$run" params={{ run }}>
              <SafeText text={run} />
            </Link>
            {' · '}
          </>
        )}
        <SafeText text={parts.join(' · ')} />
      </span>
      {others.length === 0 ? null : (
        <span className={styles.others} role="status">
          {others.join(' and ')} {others.length === 1 ? 'is' : 'are'} looking at this
        </span>
      )}
    </div>
  )
}

/** Where the word of the status table says too little. */
const STATUS_WORDS: Partial<Record<DecisionRecord['status'], string>> = {
  answered: 'answered',
  delivered: 'delivered',
  acknowledged: 'acknowledged',
  acted: 'acted on',
  expired: 'expired',
  superseded: 'replaced',
  withdrawn: 'withdrawn',
  undeliverable: 'reached nobody',
}

/** What became of it, for whoever comes later. */
function Ending({ record }: { readonly record: DecisionRecord }) {
  const ending = endingOf(record)
  const now = useNow(HALF_MINUTE_MS)
  if (ending === null) return null
  const { text, at, words } = ending
  return (
    <div className={styles.ending}>
      <p>
        <SafeText text={text} />
        {at === null ? '' : ` ${clockText(at, now)}.`}
      </p>
      {words.map((word) => (
        <p key={word}>
          <SafeText text={word} />
        </p>
      ))}
      {record.supersededBy === null ? null : (
        <Link to="/inbox/$decision" params={{ decision: record.supersededBy }}>
          To the one that stands in its place
        </Link>
      )}
    </div>
  )
}
