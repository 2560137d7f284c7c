/** Things in the worktree that are no files, names too long to be named, and folders that nobody may enter. */
import { existsSync } from 'node:fs'
import { expect } from 'vitest'
import { PERSON } from '../host/run.fixture.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

attack(
  '[W7] a run goes on beside them, and can be discarded',
  {
    plays: ({ plant }) => ({
      develop: [
        [
          plant('pipes', 'mkfifo pipe src/pipe .signalbox/run/pipe && rm a.txt && mkfifo a.txt'),
          plant(
            'deep',
            `name=$(printf 'x%.0s' $(seq 200)); for each in ignored "$(git rev-parse --git-dir)/deep"; do
               (mkdir -p "$each" && cd "$each" && for nth in $(seq 40); do mkdir $name && cd -P $name || exit 1; done) || exit 1
             done; echo ignored > .gitignore`,
          ),
          plant(
            'deep in sight',
            `name=$(printf 'y%.0s' $(seq 200)); for each in seen .signalbox/run/answer.json; do
               (mkdir -p "$each" && cd "$each" && for nth in $(seq 40); do mkdir $name && cd -P $name || exit 1; done && echo x > file) || exit 1
             done`,
          ),
          plant(
            'locked',
            'mkdir -p ignored/locked/in && touch ignored/locked/in/x && chmod 000 ignored/locked/in ignored/locked',
          ),
          plant(
            'loop',
            'mkdir ignored/loop && ln -s . ignored/loop/loop && ln -s ignored/loop/loop/loop loop',
          ),
        ],
      ],
    }),
    afterwards: async ({ house, run }) => {
      expect(await house.host().discard(run.id, { by: PERSON, unmerged: true })).toEqual({ discarded: true })
      expect(existsSync(run.work.dir)).toBe(false)
    },
  },
  async ({ run }) => {
    expect(['done', 'abandoned']).toContain(await run.end())
  },
)
