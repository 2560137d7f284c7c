/** `signalbox people`: who may answer here beside you, and the token that lets each of them in. */
import { homeAt } from '../../host/machine/home.ts'
import { openSecret } from '../../http/secret.ts'
import { personalToken } from '../../http/visitor.ts'
import { orNear } from '../../model/nearest.ts'
import { own } from '../../model/own.ts'
import { EXIT } from '../exit.ts'
import { complain } from '../terminal/complaint.ts'
import { table } from '../terminal/terminal.ts'
import type { CommandSetting } from '../wiring.ts'
import { readConfig } from './config.ts'

type Here = Pick<CommandSetting, 'environment' | 'terminal'>

export function listPeople(options: { readonly json?: boolean }, { environment, terminal }: Here): number {
  const { owner, people } = peopleHere(environment)
  const all = [
    { name: owner, groups: own(people, owner)?.groups ?? [], owner: true },
    ...Object.entries(people).flatMap(([name, { groups }]) =>
      name === owner ? [] : [{ name, groups, owner: false }],
    ),
  ]
  if (options.json === true) terminal.write(JSON.stringify(all, null, 2))
  else
    terminal.write(
      table(
        [{ head: 'NAME', paint: (cell) => terminal.paint('bold', cell) }, { head: 'GROUPS' }, { head: '' }],
        all.map((person) => [person.name, person.groups.join(', '), person.owner ? 'you' : '']),
        '',
      ),
    )
  return EXIT.ok
}

/** The same each time, until the secret in the home is removed; it works while the name is listed. */
export function printPersonalToken(name: string, { environment, terminal }: Here): number {
  if (environment.session !== null)
    return complain(terminal, 'A token lets a person in: an agent’s session cannot print one.', EXIT.failed)
  const { people, file } = peopleHere(environment)
  if (own(people, name) === undefined) {
    const near = orNear(name, Object.keys(people))
    const problem = `There is nobody called "${name}" in ${file}${near} Add: people: { ${name}: {} }`
    return complain(terminal, problem, EXIT.usage)
  }
  terminal.write(personalToken(name, openSecret(homeAt(environment.home).secret)))
  return EXIT.ok
}

function peopleHere({ configDir, user }: Here['environment']) {
  const { config } = readConfig({ configDir, repo: null })
  return { owner: user, people: config.people, file: `${configDir}/config.yaml` }
}
