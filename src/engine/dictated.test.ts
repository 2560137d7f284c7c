import { describe, expect, it } from 'vitest'
import { EXAMPLE_DECISION } from '../model/decision.ts'
import { dictatedTexts } from './dictated.ts'

describe('what was dictated', () => {
  it('[Q22] is every text of the payload that stood in a prompt, whatever its case and white space', () => {
    const prompts = [
      'Add sessions. Ask me: WHERE should\n   sessions be\tkept?',
      'Say that you would keep sessions in the file there is.',
    ]
    expect(dictatedTexts(EXAMPLE_DECISION, prompts)).toEqual([
      'Where should sessions be kept?',
      'Keep sessions in the file there is.',
    ])
  })

  it('is nothing where an agent found its own words, and nothing in short ones', () => {
    const prompts = ['Keep the sessions somewhere. SQLite file, Redis, yes or no.']
    expect(dictatedTexts(EXAMPLE_DECISION, prompts)).toEqual([])
    const short = { headline: 'Yes or no?', options: [{ label: 'Redis' }, { label: 'SQLite file' }] }
    expect(dictatedTexts(short, ['yes or no? redis or sqlite file'])).toEqual([])
  })

  it('says a text once, counts characters and not bytes, and survives whatever is sent', () => {
    const twice = { headline: 'Where should it go?', question: 'Where should it go?' }
    expect(dictatedTexts(twice, ['where should it go?'])).toEqual(['Where should it go?'])
    expect(dictatedTexts({ headline: '🚀🚀🚀🚀🚀🚀' }, ['🚀🚀🚀🚀🚀🚀🚀'])).toEqual([])
    for (const odd of [null, 'text', 7, [], { options: 'no' }, { options: [null, { label: 4 }] }])
      expect(dictatedTexts(odd, ['text'])).toEqual([])
  })
})
