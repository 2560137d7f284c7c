import { describe, expect, it } from 'vitest'
import type { KnownAgent, ListedChannel } from '../../model/api/settings.ts'
import { sectionsFor } from './section.ts'
import {
  abilitiesOf,
  agentWord,
  byState,
  canBeAsked,
  caseText,
  channelText,
  findingsText,
  sandboxText,
  silenceText,
  trialText,
} from './settings.view.ts'

const AGENT: KnownAgent = {
  name: 'codex',
  driver: 'acp',
  isDefault: true,
  standsFor: null,
  path: '/bin/codex',
  install: '',
  version: '1',
  model: null,
  modelBy: 'protocol',
  keeps: ['~/.codex/auth.json (a copy)', '~/.codex/sessions (its own)'],
  passes: ['OPENAI_*'],
  probe: { version: '1', resumes: null, mcpHttp: false, images: true, model: 'large' },
  askedAt: null,
  lacks: [],
}
const TRIAL = { answered: 4, disagreed: 1, cases: [] }
const CASE = { id: 'a', headline: 'b', would: 'sqlite', picked: 'redis', edited: false }

describe('an agent', () => {
  it('is told with what it said of itself, and what is known of it where it was not asked', () => {
    expect(abilitiesOf(AGENT)).toEqual([
      'works with large',
      'takes a model from the runbook',
      'begins every session anew',
      'takes our tools through a bridge',
      'sees images',
    ])
    expect(abilitiesOf({ ...AGENT, probe: null, modelBy: null })).toEqual([])
    expect(sandboxText(AGENT)).toBe(
      'In its sandbox it also has of your home: ~/.codex/auth.json (a copy); ~/.codex/sessions (its own). And of your environment: OPENAI_*.',
    )
    expect(sandboxText({ ...AGENT, keeps: [], passes: [] })).toBe('')
  })

  it('can be asked where it is there and speaks the protocol', () => {
    expect([canBeAsked(AGENT), agentWord(AGENT)]).toEqual([true, 'installed'])
    expect(canBeAsked({ ...AGENT, driver: 'command' })).toBe(false)
    const gone = { ...AGENT, path: null }
    expect([canBeAsked(gone), agentWord(gone)]).toEqual([false, 'not installed'])
    expect(agentWord({ ...AGENT, probe: { problem: 'It is mute.' } })).toBe('does not answer')
    expect(silenceText({ ...AGENT, probe: { problem: 'x'.repeat(900) } })).toHaveLength(242)
    expect(silenceText(AGENT)).toBeNull()
  })
})

it('a channel is told with whom it tells what, and when not', () => {
  const channel: ListedChannel = {
    id: 'a',
    name: 'slack',
    kind: 'slack',
    audience: 'anna',
    leastUrgency: 'high',
    events: ['opened', 'closed'],
    quiet: '22:00 to 07:00, UTC',
    full: true,
    problem: null,
    inForce: true,
  }
  expect(channelText(channel)).toBe(
    'For anna · told when something is opened, closed · from urgency high on · quiet 22:00 to 07:00, UTC · with all texts',
  )
})

describe('a policy', () => {
  it.each([
    [TRIAL, 'Of all that people answered here, it would have answered 4, and 1 of them wrongly:'],
    [
      { ...TRIAL, disagreed: 0 },
      'Of all that people answered here, it would have answered 4, every one as they did.',
    ],
    [
      { ...TRIAL, disagreed: 4 },
      'Of all that people answered here, it would have answered 4, and all of them wrongly:',
    ],
    [
      { ...TRIAL, answered: 0, disagreed: 0 },
      'Of all that people answered here, it would have answered nothing.',
    ],
  ])('[U13] is told with what it would have got wrong', (trial, text) => {
    expect(trialText(trial)).toBe(text)
  })

  it('[U13] names what a person did instead', () => {
    expect(caseText(CASE)).toBe('a person picked redis, it would have picked sqlite')
    expect(caseText({ ...CASE, picked: '' })).toBe(
      'a person said something else, it would have picked sqlite',
    )
    expect(caseText({ ...CASE, edited: true })).toBe('a person took redis and changed what it means')
  })
})

it('what is wrong stands first', () => {
  const findings = (['good', 'note', 'bad'] as const).map((state) => ({ about: state, state, text: '' }))
  expect(byState(findings).map(({ about }) => about)).toEqual(['bad', 'note', 'good'])
  expect(findingsText(findings)).toBe('One thing is wrong; 1 to be known.')
  expect(findingsText([])).toBe('Nothing is wrong.')
})

it('[U13] others than the owner are offered what they may see', () => {
  expect(sectionsFor({ isOwner: false }).map(({ id }) => id)).toEqual(['people', 'policies'])
  expect(sectionsFor({ isOwner: true })).toHaveLength(6)
})
