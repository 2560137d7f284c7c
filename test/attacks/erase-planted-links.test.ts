/** An agent leads what a person erases to the person's own files: links where the host overwrites. */
import { expect } from 'vitest'
import { PERSON } from '../host/run.fixture.ts'
import { attacks } from './attack.fixture.ts'

const attack = attacks()

/** Stands in a file of the user's, too. */
const TEXT = 'aws_secret_access_key'

attack(
  '[J12] erasing overwrites nothing of the user’s, wherever links lead',
  {
    plays: ({ plant, victim }) => ({
      develop: [
        [
          plant(
            'links',
            `ln -s ${victim.home}/.aws aws; ln -s ${victim.home}/.aws/credentials one; mkfifo pipe; echo ${TEXT} > said.txt`,
          ),
        ],
      ],
    }),
  },
  async ({ run, house }) => {
    expect(await run.end()).toBe('done')
    const erased = await house.host().erase({ text: TEXT, also: [], reason: 'said', dry: false }, PERSON)
    expect(erased).toMatchObject({ done: true })
    expect('files' in erased && erased.files.some((file) => file.endsWith('/said.txt'))).toBe(true)
    const remains = 'remains' in erased ? erased.remains.join('\n') : ''
    expect(remains).toMatch(/refs\/heads\/signalbox\/\S+ has it\. To remove it: signalbox erase --run/)
    expect(remains).not.toContain('.aws')
    expect(run.work.read('said.txt')).not.toContain(TEXT)
  },
)
