/** What is said of a run before anybody works: its setup, and what its gates do then. */
import { GATE_EXPECTATIONS } from '../../model/program.ts'
import { command } from './command-language.ts'
import type { Shape, TextShape } from './shape.ts'

export const EXPECT: TextShape = {
  kind: 'text',
  values: GATE_EXPECTATIONS,
  doc: 'What the gate does before anybody works. It is tried then, and where it does something else a person is asked, unless the flow says where `failed` leads: `pass`, `fail` (exit code 1 to 125), `either` (the default: it can run at all), or `none`: it is not tried.',
}

export const setupShape = (on: Shape): Shape => ({
  kind: 'either',
  doc: 'What makes a fresh worktree usable. It is the first step of a run: `done`, or `failed` with any exit code but 0.',
  of: [
    command('The command.'),
    {
      kind: 'object',
      doc: 'What makes a fresh worktree usable.',
      fields: {
        run: {
          kind: 'either',
          doc: 'The command, or several in one shell, so `cd` and `export` last. Each is a command of its own: the first that fails ends the setup, and so does an `exit` in any of them, with its code; among several `set -e` has no effect.',
          of: [
            command('The command.'),
            {
              kind: 'list',
              doc: 'Commands, one after the other; the first that fails ends it.',
              of: command('A command.'),
              least: 1,
            },
          ],
        },
        needs: {
          kind: 'list',
          doc: 'The files it depends on, as globs from the root of the repository. Recorded; this version runs it in every fresh worktree.',
          of: { kind: 'text', doc: 'A glob.', examples: ['package-lock.json'] },
          least: 0,
        },
        time: { kind: 'duration', doc: 'How long it may take.' },
        on,
      },
      required: ['run'],
    },
  ],
})
