/** A member of a panel makes the repository that all of them share run its program, in another's sandbox and with its answer. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { attacks, type Lair } from './attack.fixture.ts'

const attack = attacks()

/** Whoever runs it answers as the evil one wants, and lends it its token. */
const corrupting = ({ dir }: Lair): string => `cat > ${dir}/corrupt <<'END'
#!/bin/sh
echo "$SIGNALBOX_AGENT" >> ${dir}/corrupted
echo '{"decision":"good"}' > "$SIGNALBOX_ANSWER_FILE"
END
chmod +x ${dir}/corrupt`

/** What every reviewer does. */
const LOOK = 'git status; git diff; git log -1; git commit --allow-empty -qm x; true'

attack(
  '[X8] nothing that one leaves in it is run by another’s git',
  {
    runbook: `
      agents: { honest: { writes: [] }, evil: { writes: [] } }
      steps:
        review: { panel: [honest, evil], options: { good: done, poor: abandoned }, on: { else: abandoned } }
    `,
    plays: (lair) => {
      const { plant, attempt, dir } = lair
      const until = (mark: string): string => `until [ -e ${dir}/marks/${mark} ]; do sleep 0.05; done`
      return {
        'review@honest': [
          [
            { answer: { decision: 'poor' }, via: 'file' },
            plant('first', `${until('hook')}; ${LOOK}`),
            plant('second', `${until('file')}; ${LOOK}`),
            plant('third', `${until('folder')}; ${LOOK}`),
          ],
        ],
        'review@evil': [
          [
            plant('write', corrupting(lair)),
            attempt(
              'config',
              `git config core.fsmonitor ${dir}/corrupt; git config core.pager ${dir}/corrupt; git config alias.diff '!${dir}/corrupt'`,
            ),
            attempt(
              'hook',
              `cd "$(git rev-parse --git-dir)" && mkdir -p hooks && cp ${dir}/corrupt hooks/pre-commit && cp ${dir}/corrupt hooks/post-index-change`,
            ),
            plant('wait', until('first')),
            attempt(
              'file',
              `git init -q ${dir}/other && git -C ${dir}/other config core.fsmonitor ${dir}/corrupt && rm -f .git && echo 'gitdir: ${dir}/other/.git' > .git`,
            ),
            plant('wait-again', until('second')),
            attempt('folder', `mv .git .gone; mkdir .git && cp -r ${dir}/other/.git/. .git/`),
            plant('stay', until('third')),
            { answer: { decision: 'good' }, via: 'file' },
          ],
        ],
      }
    },
  },
  async ({ run, dir }) => {
    expect(await run.end()).toBe('abandoned')
    const others = existsSync(join(dir, 'corrupted')) ? readFileSync(join(dir, 'corrupted'), 'utf8') : ''
    expect(others).not.toContain('honest')
  },
)
