/** What a config file may look like. */

import type { Channel } from '../../host/notices/channel.ts'
import { NOTICE_KINDS } from '../../host/notices/notice.ts'
import type { DriverName } from '../../host/session/agent-program.ts'
import { GIVEN_RIGHTS, RIGHTS } from '../../model/api/rights.ts'
import { URGENCIES } from '../../model/decision.ts'
import { COMMAND_MEANING, PROJECT_COMMANDS, type ProjectCommand } from '../../model/project-command.ts'
import type { ObjectShape, Shape } from '../../runbook/language/shape.ts'

const text = (doc: string): Shape => ({ kind: 'text', doc })
const oneOf = (values: readonly string[], doc: string): Shape => ({ kind: 'text', values, doc })
const count = (doc: string): Shape => ({ kind: 'integer', min: 1, max: 64, doc })
const object = (doc: string, fields: Readonly<Record<string, Shape>>): ObjectShape => ({
  kind: 'object',
  doc,
  required: [],
  fields,
})
const paths = (doc: string): Shape => ({
  kind: 'list',
  of: text('A path, absolute or in your home folder: `~/.cache`.'),
  least: 0,
  doc,
})

const names = (doc: string): Shape => ({
  kind: 'list',
  of: text('A variable, or the beginning of several: `NPM_TOKEN`, `AWS_*`.'),
  least: 0,
  doc,
})

/** Of these an entry has one, or it changes parts of a ready one. */
const drivers: Readonly<Record<DriverName, Shape>> = {
  acp: text('The command line of an agent that speaks the Agent Client Protocol: `my-agent --acp`.'),
  command: text('The command line of a plain program that takes a prompt and answers.'),
  scripted: {
    kind: 'either',
    doc: 'The script that the scripted agent plays, or how this agent is tried without an account.',
    of: [
      text('The script that the scripted agent plays, relative to this file.'),
      object(
        'For `signalbox agents test NAME --scripted`. `{model}` is the address of the model, `{home}` a home of its own.',
        {
          args: { kind: 'list', of: text('An argument.'), least: 0, doc: 'More arguments.' },
          env: { kind: 'anything', doc: 'All variables of its own: `{ MY_AGENT_URL: "{model}/v1" }`.' },
          files: {
            kind: 'anything',
            doc: 'Its settings, by their path in its home: a text, or what is written as JSON.',
          },
          folders: {
            kind: 'list',
            of: text('A path in its home.'),
            least: 0,
            doc: 'Folders that must be there.',
          },
          small_model: text('The model it asks for titles and the like.'),
        },
      ),
    ],
  },
}

const keeps: Shape = {
  kind: 'either',
  doc: 'What it keeps in your home. In the sandbox it writes to none of it.',
  of: [
    paths('Copied once for a run, and not written back.'),
    object('What it keeps in your home, part by part.', {
      login: paths('Files with its login. It has a copy, of which refreshed tokens are written back.'),
      settings: paths('Files are copied for each session, folders are shown read-only.'),
      sessions: paths('Folders that are the run’s own: yours are not seen.'),
    }),
  ],
}

const agent: Shape = {
  kind: 'either',
  doc: 'The name of another entry, or a map that says which program it is.',
  of: [
    text('The name of another entry.'),
    object('The program that plays an agent.', {
      ...drivers,
      model: text('The model it works with where a runbook does not say one.'),
      prompt: oneOf(['stdin', 'file'], 'How a plain command gets its prompt.'),
      env: { kind: 'anything', doc: 'Variables of its environment: `{ KEY: "value" }`.' },
      keeps,
      passes: names('Variables of yours that it gets. Only in your own config.'),
      failures: {
        kind: 'list',
        of: text('A text, with `*` for what differs: `Error: * gave up`.'),
        least: 0,
        doc: 'What its last message says when its model failed and it ends its turn all the same.',
      },
      permissions: oneOf(
        ['auto', 'ask', 'allow', 'reject'],
        'What its requests for permission are answered with. `auto`: allowed inside the sandbox, else you are asked.',
      ),
    }),
  ],
}

/** Of these an entry under `notify` has one. */
const channels: Readonly<Record<Channel['kind'], Shape>> = {
  desktop: { kind: 'boolean', doc: 'The screen of this machine.' },
  webhook: text('Where a Standard Webhooks request is sent.'),
  ntfy: text('Server and topic: https://ntfy.sh/my-topic'),
  slack: text('The incoming webhook of Slack, Mattermost or another that takes the same.'),
}
export const CHANNEL_KEYS = Object.keys(channels) as readonly Channel['kind'][]

const channel = object('A place where you are told, and of what.', {
  ...channels,
  secret_env: text('The variable that holds the secret of the webhook: whsec_…'),
  secret_file: text('The file that holds the secret of the webhook.'),
  token_env: text('The variable that holds the access token for ntfy.'),
  token_file: text('The file that holds the access token for ntfy.'),
  events: {
    kind: 'list',
    of: oneOf(NOTICE_KINDS, 'What is told.'),
    least: 1,
    doc: 'What is told; all of it by default.',
  },
  for: text('A person or a group: only what is theirs, or nobody’s in particular.'),
  urgency: oneOf(URGENCIES, 'Only what is at least so urgent.'),
  full: { kind: 'boolean', doc: 'Context, bodies and notes too, not only headline, question and options.' },
  quiet: object('Hours in which only what is urgent is told.', {
    zone: text('The time zone: Europe/Vienna'),
    from: text('When they begin: "22:00"'),
    to: text('When they are over: "07:00"'),
  }),
})

const command = (name: ProjectCommand): Shape =>
  text(`What ${COMMAND_MEANING[name]}: \`\${run.${name}}\`. Run by \`sh\`, as it stands here.`)

const commands: Shape = object(
  'The commands of a project, where its files do not say them or say them wrongly.',
  {
    ...Object.fromEntries(PROJECT_COMMANDS.map((name) => [name, command(name)])),
    setup: {
      kind: 'either',
      doc: 'What makes a fresh checkout usable: `${run.setup}`.',
      of: [
        command('setup'),
        object('What makes a fresh checkout usable.', {
          run: command('setup'),
          needs: {
            kind: 'list',
            of: text('A glob from the root of the repository: `package-lock.json`.'),
            least: 1,
            doc: 'The files it depends on. It is run again only when one of them changes.',
          },
        }),
      ],
    },
  },
)

const USES = ['auto', 'off', 'required'] as const

const sandbox: Shape = {
  kind: 'either',
  doc: 'What agents and commands may see and reach. A project may only take away from what you say.',
  of: [
    oneOf(USES, '`auto`: a sandbox where there is one. `required`: else nothing starts. `off`: none.'),
    object('What agents and commands may see and reach.', {
      use: oneOf(USES, '`auto`: where there is one. `required`: else nothing starts.'),
      network: {
        kind: 'either',
        doc: 'What of the network can be reached from inside.',
        of: [
          { kind: 'boolean', doc: 'All of it but this machine, or nothing.' },
          oneOf(['on', 'off'], 'All of it but this machine, or nothing.'),
          {
            kind: 'list',
            of: text(
              'A host: `registry.npmjs.org`, `*.example.com`, `localhost:11434`, or `*` for all but this machine.',
            ),
            least: 1,
            doc: 'Only these hosts.',
          },
        ],
      },
      readable: paths('More places that may be read. Only in your own config.'),
      writable: paths(
        'Places of which each agent and each command gets a copy to write in: a cache of packages, say. Only in your own config.',
      ),
      shared: paths(
        'Places that all agents and commands of all runs write together. What an agent leaves there can decide a gate, and the record says so. Only in your own config.',
      ),
      sockets: paths('Unix sockets that may be spoken to. Only in your own config.'),
      env: names('More variables of yours that every process gets. Only in your own config.'),
      brings: {
        kind: 'list',
        of: text('A file, from the root of the repository: `.env`.'),
        least: 0,
        doc: 'Files of your checkout that git does not have, which runs get a copy of. Agents can read them. Only in your own config.',
      },
      processes: {
        kind: 'integer',
        min: 16,
        max: 1_000_000,
        doc: 'Processes and threads of one agent or command.',
      },
      memory: text('The memory of one agent or command: `8G`, `512M`.'),
      open_files: { kind: 'integer', min: 64, max: 1_000_000, doc: 'Files that one process may have open.' },
    }),
  ],
}

export const CONFIG: ObjectShape = {
  noun: 'config',
  ...object('The config: which programs play agents, and what they may touch.', {
    agents: {
      kind: 'map',
      noun: 'agent',
      of: agent,
      least: 0,
      doc: 'The programs that runbooks name as `use:`.',
    },
    commands,
    sandbox,
    people: {
      kind: 'map',
      noun: 'person',
      of: object('A person, by the name that stands in the record.', {
        groups: {
          kind: 'list',
          of: text('A group that decisions can be assigned to.'),
          least: 0,
          doc: 'The groups they belong to.',
        },
        may: {
          kind: 'list',
          of: oneOf(
            GIVEN_RIGHTS,
            GIVEN_RIGHTS.map((right) => `\`${right}\`: ${RIGHTS[right].says}.`).join(' '),
          ),
          least: 0,
          doc: 'What they may do beside reading, asking and answering.',
        },
      }),
      least: 0,
      doc: 'Who else may answer here, each with a token of their own. Only in your own config.',
    },
    notify: {
      kind: 'list',
      of: channel,
      least: 0,
      doc: 'Where you are told that something waits for you. Only in your own config.',
    },
    issues: text(
      'The folder of the repository that issues are in: `TODO`. By default `.signalbox/issues` or `TODO`, whichever has some.',
    ),
    public_url: text('Where links in notices lead, if this host can be reached from elsewhere.'),
    answers: object('What you answer at a terminal. Only in your own config.', {
      hold: {
        kind: 'duration',
        doc: 'For how long it can be taken back before anything comes of it; 0s for not at all.',
      },
    }),
    limits: object('How much is done at a time.', {
      agents: count('Agents at work at a time.'),
      commands: count('Gates and checks that run at a time.'),
      per_day: object('What the agents of all runs may use in a day, together. Only in your own config.', {
        cost: { kind: 'number', min: 0, max: 1_000_000, doc: 'In dollars.' },
        tokens: { kind: 'integer', min: 0, max: 1_000_000_000_000, doc: 'In tokens.' },
      }),
    }),
  }),
}
