/** The keys that say what a role may do. */
import type { Shape } from './shape.ts'

export const ROLE: Readonly<Record<'writes' | 'network' | 'git' | 'judge', Shape>> = {
  writes: {
    kind: 'either',
    doc: 'What it may write. Nothing for `[]`; anything in the worktree when left out.',
    of: [
      {
        kind: 'text',
        doc: 'A glob, or a look-up that gives globs.',
        examples: ['${steps.task.files}'],
      },
      {
        kind: 'list',
        doc: 'What it may write, later globs winning over earlier ones; `!` forbids.',
        of: { kind: 'text', doc: 'A glob, or a look-up of `var` or `steps` that gives globs.' },
        least: 0,
      },
    ],
  },
  network: {
    kind: 'either',
    doc: 'What of the network it may reach, of what your own configuration allows. Held in a sandbox.',
    of: [
      { kind: 'text', values: ['on', 'off'], doc: 'All of it, or nothing.' },
      {
        kind: 'list',
        doc: 'Only these hosts.',
        of: { kind: 'text', doc: 'A host, such as `registry.npmjs.org` or `*.example.com`.' },
        least: 1,
      },
    ],
  },
  git: {
    kind: 'text',
    values: ['read', 'write'],
    doc: 'Whether it may write to its repository itself, beside the files in it. Held in a sandbox.',
  },
  judge: {
    kind: 'text',
    doc: 'A command for `sh` that is given the patch, and may call it out of bounds with its own words; a `${…}` is always one quoted word. It runs on the commit before; what it refuses is undone.',
    examples: ['./only-tests.sh'],
  },
}
