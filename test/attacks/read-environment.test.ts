/** Secrets in the environment: of the host, of the agent's own, and of what else the user runs. */
import { spawn } from 'node:child_process'
import { expect, onTestFinished } from 'vitest'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

attack(
  '[X5] neither its own environment nor anybody else’s has them',
  {
    prepare: ({ victim }) => {
      const users = spawn('sleep', ['300'], { env: { ...victim.environment, PATH: process.env['PATH'] } })
      onTestFinished(() => void users.kill())
    },
    plays: ({ steal, victim }) => ({
      develop: [
        [
          steal('own', 'env; set; cat /proc/self/environ /proc/$PPID/environ'),
          steal('others', 'cat /proc/[0-9]*/environ | tr "\\0" "\\n" | grep -a secret; true'),
          steal(
            'root',
            `for each in self $$ ${process.pid} 1; do cat /proc/$each/root${victim.home}/.ssh/id_ed25519; done`,
          ),
          steal(
            'folder',
            `cat /proc/*/cwd/.ssh/id_ed25519 /proc/*/cwd/user/.ssh/id_ed25519 ${victim.home}/.ssh/id_ed25519`,
          ),
        ],
      ],
    }),
  },
  async ({ run }) => {
    expect(await run.end()).toBe('done')
  },
)
