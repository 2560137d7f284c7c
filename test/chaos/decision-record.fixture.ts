/** The life of each decision in the record, held against what no crash may do to it, and against what its asker did. */
import { decisionId } from '../../src/engine/index.ts'
import { type Effect, effectsIn } from './decision-scripts.fixture.ts'
import type { Project } from './project.fixture.ts'
import type { Examined } from './record.fixture.ts'
import type { Witness } from './witness.fixture.ts'

type Event = Examined['runs'][number]['events'][number] | Examined['outside'][number]['events'][number]

interface Life {
  readonly id: string
  /** As its asker calls it in what it writes down. */
  readonly key: string
  readonly cause: string
  /** The seat that raised it; empty for one from outside. */
  readonly seat: string
  status: 'open' | 'answered' | 'delivered' | 'acted' | 'closed'
  pick: string
  /** An answer that was taken and does not count yet; a kill may come in between. */
  held: string
  by: string
  /** When it was answered, as its place among all answers of its stream. */
  answeredAs: number
  via: string
}

export function problemsOfDecisions(
  project: Project,
  examined: Examined,
  { when, witness }: { readonly when: 'midway' | 'last'; readonly witness: Witness },
): string[] {
  const problems: string[] = []
  const tell = (problem: string): void => void problems.push(problem)
  const lives = [
    ...examined.runs.flatMap(({ run, events }) => livesIn(`run/${run}`, events, tell)),
    ...examined.outside.flatMap(({ id, events }) => livesIn(`decision/${id}`, events, tell)),
  ]
  const byId = new Map(lives.map((life) => [life.id, life]))
  const byKey = new Map(lives.map((life) => [life.key, life]))
  for (const [id, pick] of witness.decided) {
    const found = byId.get(id)
    if (found === undefined || (found.held !== pick && (found.answeredAs === 0 || found.pick !== pick)))
      tell(`the answer ${pick} to ${id} was acknowledged, and there is ${found?.pick ?? 'no such decision'}`)
  }
  for (const id of witness.raised) if (!byId.has(id)) tell(`${id} was made, and is lost`)
  const { heard, done } = effectsIn(project)
  for (const { key, pick } of heard) {
    const life = byKey.get(key)
    if (life === undefined || life.status === 'open' || life.pick !== pick)
      tell(`${key} was told ${pick}, and its answer is ${life?.status} ${life?.pick}`)
  }
  for (const [key, count] of counted(done)) if (count > 1) tell(`${key} was acted on ${count} times`)
  witness.doors.set('policy', lives.filter(({ by }) => by === 'policy').length)
  if (when === 'last')
    for (const life of lives) if (!witness.bereaved.has(life.seat)) problems.push(...unfinished(life, done))
  return problems
}

/** Everything an agent or a client asked has come to an end, and what it was told, it did. */
function unfinished({ key, cause, status, via, pick }: Life, done: readonly Effect[]): string[] {
  if (cause !== 'agent' && cause !== 'outside') return []
  if (status !== 'acted' && status !== 'closed') return [`${key} is ${status} at the end`]
  const isSeen = via === 'prompt' || via === 'command'
  if (status !== 'acted' || !isSeen || done.some((effect) => effect.key === key && effect.pick === pick))
    return []
  return [`${key} counts as acted on, and was not`]
}

function counted(done: readonly Effect[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { key } of done) counts.set(key, (counts.get(key) ?? 0) + 1)
  return counts
}

function livesIn(stream: string, events: readonly Event[], tell: (problem: string) => void): Life[] {
  const lives = new Map<string, Life>()
  /** By session: the latest answer it was given. */
  const given = new Map<string, number>()
  let answers = 0
  for (const event of events) {
    if (event.type === 'decision.created') {
      const { question } = event.opened
      lives.set(question, newLife({ id: question, key: `outside ${question}`, cause: 'outside', seat: '' }))
      continue
    }
    if (event.type === 'question.opened') {
      const { question, cause } = event
      const run = stream.slice('run/'.length)
      const seat = `${run}/${question.replace(/\?\d+$/, '')}`
      lives.set(
        question,
        newLife({ id: decisionId(stream, question), key: `${run} ${question}`, cause, seat }),
      )
      continue
    }
    const life = 'question' in event ? lives.get(event.question) : undefined
    if (life === undefined) continue
    const wrong = (what: string): void => tell(`${stream}: ${life.key} ${what} while it was ${life.status}`)
    switch (event.type) {
      case 'answer.held':
        if (life.status !== 'open') wrong('was answered')
        life.held = event.pick
        break
      case 'question.answered':
        if (life.status !== 'open') wrong('was answered')
        life.status = 'answered'
        life.held = ''
        life.pick = event.pick
        life.by = event.by.kind
        life.answeredAs = ++answers
        break
      case 'question.undone':
        if (life.status !== 'answered' && life.held === '') wrong('was taken back')
        Object.assign(life, { status: 'open', pick: '', held: '', by: '', answeredAs: 0 })
        break
      case 'question.closed':
        if (life.status !== 'open') wrong(`was closed as ${event.reason}`)
        life.status = 'closed'
        break
      case 'decision.delivered': {
        if (life.answeredAs === 0 || life.status === 'closed') wrong('was delivered')
        const session = event.session ?? ''
        if (session !== '' && (given.get(session) ?? 0) > life.answeredAs)
          wrong('was delivered after a later answer')
        given.set(session, life.answeredAs)
        // After a crash it may be given again; that changes nothing about it.
        if (life.status === 'answered') life.status = 'delivered'
        life.via = event.via
        break
      }
      case 'decision.acknowledged':
        if (life.status !== 'delivered') wrong('was acknowledged')
        break
      case 'decision.acted':
        if (life.status !== 'delivered') wrong('was acted on')
        life.status = 'acted'
        break
      default:
    }
  }
  return [...lives.values()]
}

const newLife = (about: Pick<Life, 'id' | 'key' | 'cause' | 'seat'>): Life => ({
  ...about,
  status: 'open',
  pick: '',
  held: '',
  by: '',
  answeredAs: 0,
  via: '',
})
