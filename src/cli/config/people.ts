/** `signalbox people`: who may answer here beside you, what else they may do, and the tokens that let them in. */
import { personalToken } from '../../http/visitor.ts'
import { rightsOf } from '../../model/api/rights.ts'
import { orNear } from '../../model/nearest.ts'
import { own } from '../../model/own.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { table } from '../terminal/terminal.ts'
import type { CommandSetting } from '../wiring.ts'
import { readConfig } from './config.ts'
import { openPeopleList } from './people-list.ts'

type Here = Pick<CommandSetting, 'environment' | 'terminal'>

export function listPeople(options: { readonly json?: boolean }, { environment, terminal }: Here): number {
  const { owner, people } = peopleHere(environment)
  const all = [
    { name: owner, groups: own(people, owner)?.groups ?? [], owner: true, may: rightsOf(null) },
    ...Object.entries(people).flatMap(([name, person]) =>
      name === owner ? [] : [{ name, groups: person.groups, owner: false, may: rightsOf(person) }],
    ),
  ]
  if (options.json === true) terminal.write(JSON.stringify(all, null, 2))
  else
    terminal.write(
      table(
        [
          { head: 'NAME', paint: (cell) => terminal.paint('bold', cell) },
          { head: 'GROUPS' },
          { head: 'MAY' },
        ],
        all.map(({ name, groups, may, owner: isOwner }) => [
          name,
          groups.join(', '),
          isOwner ? 'everything: this is you' : may.join(', '),
        ]),
        '',
      ),
    )
  return EXIT.ok
}

const DAY_MS = 24 * 60 * 60 * 1000
const TOKEN_LASTS_MS = 90 * DAY_MS
const MAX_TOKEN_LASTS_MS = 366 * DAY_MS

/** On standard output the token alone, for whoever catches it; how long it works beside it. */
export function printPersonalToken(
  { name, forMs = TOKEN_LASTS_MS }: { readonly name: string; readonly forMs?: number },
  { environment, terminal }: Here,
): number {
  const away = whyNotHere(name, { environment, terminal })
  if (away !== null) return away
  if (forMs > MAX_TOKEN_LASTS_MS)
    return complain(terminal, 'A token lasts at most 366 days: choose less with --for.', EXIT.usage)
  const endsAt = Date.now() + forMs
  terminal.write(personalToken({ name, endsAt }, openPeopleList(environment).secrets.ensure(name)))
  const day = new Date(endsAt).toISOString().slice(0, 10)
  process.stderr.write(`It works until ${day}, or until signalbox people revoke ${name}.\n`)
  return EXIT.ok
}

export function revokePerson(name: string, { environment, terminal }: Here): number {
  if (environment.session !== null) return complain(terminal, NOT_FOR_AGENTS, EXIT.failed)
  const isRevoked = openPeopleList(environment).secrets.revoke(name)
  terminal.write(
    isRevoked
      ? `Every token, browser session and link of ${name} is worth nothing now.`
      : `There was nothing to revoke: no token, session or link was made for "${name}".`,
  )
  return EXIT.ok
}

/** Null: a person of the list is meant, by a person. */
function whyNotHere(name: string, { environment, terminal }: Here): number | null {
  if (environment.session !== null) return complain(terminal, NOT_FOR_AGENTS, EXIT.failed)
  const { people, file } = peopleHere(environment)
  if (own(people, name) !== undefined) return null
  const near = orNear(name, Object.keys(people))
  const problem = `There is nobody called "${name}" in ${file}${near} Add: people: { ${name}: {} }`
  return complain(terminal, problem, EXIT.usage)
}

const NOT_FOR_AGENTS = 'A token lets a person in: an agent’s session cannot print or revoke one.'

function peopleHere({ configDir, user }: Here['environment']) {
  const { config } = readConfig({ configDir, repo: null })
  return { owner: user, people: config.people, file: `${configDir}/config.yaml` }
}
