/** `notify:` and `public_url:` of the user's config → where people are told. No message here repeats an address: some are secret. */
import { homedir } from 'node:os'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import type { Channel } from '../../host/notices/channel.ts'
import { NOTICE_KINDS, type NoticeKind } from '../../host/notices/notice.ts'
import type { QuietHours } from '../../host/notices/quiet-hours.ts'
import type { Urgency } from '../../model/decision.ts'
import { list } from '../../model/nearest.ts'
import { isTimeZone, parseTimeOfDay } from '../../model/working-hours.ts'
import type { Report } from '../../runbook/report.ts'
import { booleanOf, childOf, entryOf, itemsOf, type MapTree, type Tree, textOf } from '../../runbook/tree.ts'
import { CHANNEL_KEYS } from '../config/language.ts'

/** Where a secret is found when it is needed. */
export type SecretPlace = { readonly env: string } | { readonly file: string }

export interface NotifyEntry {
  readonly kind: Channel['kind']
  /** Empty for the desktop. */
  readonly url: string
  readonly secret: SecretPlace | null
  readonly audience: string | null
  readonly leastUrgency: Urgency
  readonly events: readonly NoticeKind[]
  readonly full: boolean
  readonly quiet: QuietHours | null
}

/** Those that are right; what is wrong with the others is told. */
export function readNotify(tree: MapTree | null, report: Report): readonly NotifyEntry[] {
  return itemsOf(childOf(tree ?? undefined, 'notify')).flatMap((item) => {
    const isOdd = report.diagnostics.some(
      ({ path }) => path === item.path || path.startsWith(`${item.path}.`),
    )
    return isOdd ? [] : (readEntry(item, report) ?? [])
  })
}

/** Null where nothing is said, or nothing right. */
export function readPublicUrl(tree: MapTree | null, report: Report): string | null {
  const found = childOf(tree ?? undefined, 'public_url')
  const text = textOf(found)
  if (found === undefined || text === undefined) return null
  const url = addressOf(text)
  if (url !== null && url.search === '' && url.hash === '') return url.href.replace(/\/$/, '')
  tell(
    report,
    found,
    '`public_url` is no address.',
    'Write where people reach this host: https://box.example.net',
  )
  return null
}

/** Whoever can write to a project must not choose where your questions are sent. */
export function refuseNotify(tree: MapTree | null, report: Report): void {
  for (const key of ['notify', 'public_url']) {
    const entry = entryOf(tree ?? undefined, key)
    if (entry === undefined) continue
    const message = `A project cannot say where you are told: \`${key}\`.`
    const help = `Move \`${key}\` to your own config; signalbox doctor tells where that is.`
    report.add({ code: 'config', at: entry.at, path: key, message, help })
  }
}

function readEntry(item: Tree, report: Report): NotifyEntry | null {
  const given = CHANNEL_KEYS.flatMap((key) => (childOf(item, key) === undefined ? [] : [key]))
  const [kind, second] = given
  if (kind === undefined || second !== undefined) {
    const says = kind === undefined ? 'names no channel' : 'names two channels'
    return tell(report, item, `\`${item.path}\` ${says}.`, `Keep one of ${list(CHANNEL_KEYS)} in each entry.`)
  }
  if (kind === 'desktop' && booleanOf(childOf(item, kind)) === false) return null
  const url = kind === 'desktop' ? '' : readAddress(item, kind, report)
  const secret = readSecret(item, kind, report)
  const quiet = readQuiet(childOf(item, 'quiet'), report)
  if (url === null || secret === undefined || quiet === undefined) return null
  const events = childOf(item, 'events')
  return {
    kind,
    url,
    secret,
    quiet,
    audience: textOf(childOf(item, 'for')) ?? null,
    leastUrgency: (textOf(childOf(item, 'urgency')) ?? 'low') as Urgency,
    events: events === undefined ? eventsOf(kind) : (itemsOf(events).map(textOf) as NoticeKind[]),
    full: booleanOf(childOf(item, 'full')) ?? false,
  }
}

/** A notification on a screen cannot be taken back. */
const eventsOf = (kind: NotifyEntry['kind']): readonly NoticeKind[] =>
  kind === 'desktop' ? NOTICE_KINDS.filter((each) => each !== 'closed') : NOTICE_KINDS

function readAddress(
  item: Tree,
  kind: Exclude<NotifyEntry['kind'], 'desktop'>,
  report: Report,
): string | null {
  const found = childOf(item, kind)!
  const url = addressOf(textOf(found) ?? '')
  if (url === null)
    return tell(
      report,
      found,
      `\`${found.path}\` is no address.`,
      'Write it whole, with https:// at its beginning.',
    )
  if (kind === 'ntfy' && !/^\/[-_A-Za-z0-9]{1,64}$/.test(url.pathname))
    return tell(
      report,
      found,
      `\`${found.path}\` names no topic.`,
      'Write server and topic: https://ntfy.sh/my-topic',
    )
  if (url.protocol === 'http:' && !/^(localhost|127\..*|\[::1\])$/.test(url.hostname))
    report.add({
      code: 'config',
      severity: 'warning',
      at: found.at,
      path: found.path,
      message: `What is sent to \`${found.path}\` can be read on its way.`,
      help: 'Use https:// if the other side has it.',
    })
  return url.href
}

const SECRET_WORDS = ['secret', 'token'] as const

/** What a channel's secret is called: `secret_env`, `token_file`. Null for one that has none beside its address. */
const SECRET_WORD: Readonly<Record<Channel['kind'], (typeof SECRET_WORDS)[number] | null>> = {
  desktop: null,
  webhook: 'secret',
  ntfy: 'token',
  slack: null,
}

/** Undefined where it is told what is wrong. */
function readSecret(item: Tree, kind: NotifyEntry['kind'], report: Report): SecretPlace | null | undefined {
  const word = SECRET_WORD[kind]
  for (const other of SECRET_WORDS.filter((each) => each !== word))
    for (const key of [`${other}_env`, `${other}_file`]) {
      const found = childOf(item, key)
      if (found === undefined) continue
      tell(report, found, `\`${key}\` means nothing to ${kind}.`, 'Leave it out.')
      return undefined
    }
  if (word === null) return null
  const env = textOf(childOf(item, `${word}_env`))
  const file = textOf(childOf(item, `${word}_file`))
  if (env !== undefined && file !== undefined) {
    tell(
      report,
      item,
      `\`${item.path}\` has two places for its ${word}.`,
      `Keep ${word}_env or ${word}_file.`,
    )
    return undefined
  }
  if (kind === 'webhook' && env === undefined && file === undefined) {
    const help =
      'Say where it is: `secret_env: NAME` or `secret_file: ~/path`. To make one: echo "whsec_$(openssl rand -base64 32)"'
    tell(report, item, `\`${item.path}\` has no secret to sign with.`, help)
    return undefined
  }
  if (env !== undefined) return { env }
  return file === undefined ? null : { file: fromFile(file, report.file) }
}

function readQuiet(tree: Tree | undefined, report: Report): QuietHours | null | undefined {
  if (tree === undefined) return null
  const [zone = '', from = '', to = ''] = ['zone', 'from', 'to'].map((key) => textOf(childOf(tree, key)))
  const [fromMinute, toMinute] = [parseTimeOfDay(from), parseTimeOfDay(to)]
  if (!isTimeZone(zone)) {
    tell(
      report,
      tree,
      `\`${tree.path}\` is in no time zone that is known.`,
      'Write its name: zone: Europe/Vienna',
    )
    return undefined
  }
  if (fromMinute === null || toMinute === null || fromMinute % 1440 === toMinute % 1440) {
    tell(
      report,
      tree,
      `\`${tree.path}\` has no beginning and end.`,
      'Write two times of day: from: "22:00", to: "07:00"',
    )
    return undefined
  }
  return { zone, fromMinute, toMinute }
}

function addressOf(text: string): URL | null {
  const url = URL.canParse(text) ? new URL(text) : null
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' ? url : null
}

function fromFile(path: string, file: string): string {
  if (path.startsWith('~/')) return join(homedir(), path.slice(2))
  return isAbsolute(path) ? path : resolve(dirname(file), path)
}

function tell(report: Report, { at, path }: Tree, message: string, help: string): null {
  report.add({ code: 'config', at, path, message, help })
  return null
}
