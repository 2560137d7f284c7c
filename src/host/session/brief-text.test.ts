import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { given, type Scene } from '../../engine/given.fixture.ts'
import { briefOf } from '../../engine/index.ts'
import { EXAMPLE_DECISION } from '../../model/decision.ts'
import { ISSUE_AUTHOR, words } from '../../model/fence.ts'
import { visibleText } from '../../model/visible-text.ts'
import { type BriefSetting, briefText, followUpText } from './brief-text.ts'

const FLOW = `
name: flow
handoffs:
  plan: { version: 2, fields: { approach: { type: text, required: true }, risks: { type: list } }, partial: true }
agents:
  dev: { prompt: You are the developer., writes: ["src/**", "test/**"] }
  reviewer: { prompt: You are the reviewer., writes: [] }
steps:
  design: { agent: dev, prompt: Design it., gives: plan, next: develop }
  develop: { agent: dev, prompt: Develop it., next: review }
  review:
    agent: reviewer
    prompt: Review it.
    asks: verdict
    options:
      approve: { say: Correct and tested, to: done, recommended: true }
      reject: { say: Something must change, to: develop, max: 2, then: abandoned }
    fields: { feedback: { type: text, required_for: [reject], say: What must change } }
`

const SETTING: BriefSetting = {
  run: 'r1',
  step: 'review',
  visit: 1,
  worktree: '/data/worktrees/repo-r1',
  branch: 'signalbox/flow-r1',
  artifacts: '/data/worktrees/repo-r1/.signalbox/run',
  answerFile: '/data/worktrees/repo-r1/.signalbox/run/answer-0123.json',
  decisionFile: '/data/worktrees/repo-r1/.signalbox/run/decision-0123.json',
  mcp: true,
  primed: [],
  issue: null,
  decided: [],
  pause: 'none',
}

const PLAN = { handoff: { approach: 'Replace all blanks', risks: ['titles of one word'] }, notes: 'Small.' }

const issue = (title: string, body: string) => words(ISSUE_AUTHOR, 'issue', `7: ${title}\n\n${body}`)
const printed = (text: string) => words('a command', 'printed', text)

const started = (): Scene => given(FLOW).started()
const designed = (): Scene => started().answer('design', PLAN)
const reviewing = (): Scene => designed().answer('develop', { notes: 'Done so.' })
const brief = ({ program, state }: Scene) => briefOf(program, state, 0, () => undefined)
const textOf = (scene: Scene, over: Partial<BriefSetting> = {}): string =>
  briefText(brief(scene), { ...SETTING, ...over })

describe('a brief', () => {
  it('says who, what, where and within which boundary, by absolute paths', () => {
    const text = textOf(reviewing())
    expect(text).toMatch(/^You are the reviewer\.\n/)
    expect(text).toContain('## Your task\n\nReview it.')
    expect(text).toContain('Run r1, step "review", visit 1.')
    expect(text).toContain('Worktree: /data/worktrees/repo-r1 (branch signalbox/flow-r1)')
    expect(text).toContain('/data/worktrees/repo-r1/.signalbox/run')
    expect(text).toContain(
      'You may read everything and change nothing. Whatever you change is undone, but for',
    )
    expect(textOf(started())).toContain('You may change only: src/**, test/**.')
  })

  it('says what is asked and where each answer leads', () => {
    const text = textOf(reviewing())
    expect(text).toContain('`verdict` must be one of: approve, reject.')
    expect(text).toContain('is needed with reject. What must change')
    expect(text).toMatch(/- `approve` \(recommended\): Correct and tested → done/)
    expect(text).toMatch(/- `reject`: Something must change → develop/)
  })

  it('says how to answer with the tool, and without it, with an example that is right', () => {
    const [withTool, without] = [textOf(reviewing()), textOf(reviewing(), { mcp: false })]
    expect(withTool).toContain('call the tool `report_outcome` of the MCP server `signalbox`')
    for (const text of [withTool, without]) {
      expect(text).toContain(`write the JSON to \`${SETTING.answerFile}\``)
      const [, example] = /For example:\n```json\n([\s\S]*?)\n```/.exec(text) ?? []
      expect(reviewing().answer('review', JSON.parse(example!)).place).toBe('ended: done')
    }
    expect(without).not.toContain('report_outcome')
  })

  it('[Q23] says how to ask a person with the tool, and by file without it, and neither where it may not ask', () => {
    const [withTool, without] = [textOf(reviewing()), textOf(reviewing(), { mcp: false })]
    expect(withTool).toContain('call the tool `create_decision`')
    expect(withTool).not.toContain(SETTING.decisionFile)
    expect(without).toContain(`write it as JSON to \`${SETTING.decisionFile}\``)
    expect(without).toContain(JSON.stringify(EXAMPLE_DECISION))
    expect(without).not.toContain('create_decision')
    const silent = briefText({ ...brief(reviewing()), questions: 0 }, { ...SETTING, mcp: false })
    expect(silent).not.toContain('When to ask a person')
  })

  it('[R9] carries what came before, and its feedback', () => {
    expect(textOf(reviewing())).toContain('"develop" ended as done')
    expect(textOf(reviewing())).toContain('Done so.')
    const again = reviewing().answer('review', { verdict: 'reject', feedback: 'No test says so.' })
    const text = textOf(again, { step: 'develop', visit: 2 })
    expect(text).toContain('"review" ended as reject (Reject: Something must change).')
    expect(text).toContain('feedback:\nNo test says so.')
  })

  it('[H1] carries handoffs as text and as JSON, with their hash', () => {
    const text = textOf(designed(), { step: 'develop' })
    expect(text).toContain('### plan (version 2) from "design", visit 1: full')
    expect(text).toContain('approach: Replace all blanks')
    const [, json] =
      /```json plan by agent "dev" at "design"\n([\s\S]*?)\n```\n\nContent hash: [0-9a-f]{16}/.exec(text) ??
      []
    expect(JSON.parse(json!)).toEqual(PLAN.handoff)
  })

  it('says of a partial handoff what there is of it', () => {
    let scene = started()
    while (scene.place === 'design#1') scene = scene.answer('design', { notes: 'Only in my head.' })
    const text = textOf(scene, { step: 'develop' })
    expect(text).toContain('visit 1: partial')
    expect(text).toContain('Only in my head.')
    expect(text.match(/```json/g) ?? []).toHaveLength(0)
  })

  it('asks nothing where only work is asked', () => {
    const text = textOf(designed(), { step: 'develop' })
    expect(text).toContain('Nothing but the work is asked: end your turn when it is done.')
    expect(text).not.toContain('What you are asked')
    expect(text).not.toContain('report_outcome')
  })

  it('tells of an interruption, a usage limit, the issue and what was primed', () => {
    const scene = reviewing()
    expect(textOf(scene)).not.toContain('## Since then')
    expect(textOf(scene, { pause: 'interrupted' })).toContain('Do not do again what is done.')
    expect(textOf(scene, { pause: 'limited' })).toContain('The usage limit has been reset.')
    const text = textOf(scene, { issue: issue('Broken', 'It is.'), primed: [printed('one'), printed('two')] })
    expect(text).toMatch(/## Issue\n\n```issue by whoever wrote the issue\n7: Broken\n\nIt is\.\n```\n\n## /)
    expect(text).toMatch(
      /## Context\n\nPrinted by commands.*\n\n```printed by a command\none\n```\n\n```printed by a command\ntwo\n```\n\n## /,
    )
  })

  it('[A23] keeps what an issue or a command says within its fences, whatever that is', () => {
    const scene = reviewing()
    const plain = textOf(scene, { issue: issue('T', 'B'), primed: [printed('P')] })
    const piece = fc.constantFrom(
      '`',
      '```',
      '````',
      '\n',
      '\n## How to answer\n',
      '~~~',
      'word',
      ' ',
      '\r',
      '\u2028',
    )
    const hostile = fc.array(piece, { maxLength: 12 }).map((pieces) => `x${pieces.join('')}y`)
    fc.assert(
      fc.property(hostile, hostile, hostile, (title, body, primed) => {
        let left = textOf(scene, { issue: issue(title, body), primed: [printed(primed)] })
        for (const [about, text, short] of [
          [`issue by ${ISSUE_AUTHOR}`, `7: ${title}\n\n${body}`, '7: T\n\nB'],
          ['printed by a command', primed, 'P'],
        ] as const) {
          const [whole, fence = ''] = new RegExp(`(\`{3,})${about}\\n`).exec(left) ?? ['']
          const at = left.indexOf(whole) + whole.length
          const end = left.indexOf(`\n${fence}\n`, at)
          expect(left.slice(at, end)).toBe(visibleText(text))
          const before = left.slice(0, at - whole.length)
          left = `${before}\`\`\`${about}\n${short}\n\`\`\`\n${left.slice(end + fence.length + 2)}`
        }
        expect(left).toBe(plain)
      }),
    )
  })

  it('has no empty sections, and nothing of another run', () => {
    reviewing().answer('review', { verdict: 'reject', feedback: 'of another run' })
    const text = textOf(started(), { step: 'design' })
    expect(text).not.toMatch(/^## [^\n]*\n+(?:## |(?![\s\S]))/m)
    expect(text).not.toContain('of another run')
    expect(text).not.toContain('What came before')
    expect(text).not.toContain('undefined')
    expect(text.endsWith('\n')).toBe(true)
  })
})

describe('a follow-up', () => {
  it('[A2] says why it was sent back and how to answer, and not the whole brief again', () => {
    const scene = reviewing().answer('review', { verdict: 'maybe' })
    const text = followUpText(brief(scene), SETTING)
    expect(text).toContain('maybe')
    expect(text).toContain('approve, reject')
    expect(text).toContain('report_outcome')
    expect(text).not.toContain('Your task')
    expect(text).not.toContain('You are the reviewer.')
  })

  it('tells an interrupted agent to look first', () => {
    expect(followUpText(brief(reviewing()), { ...SETTING, pause: 'interrupted' })).toContain('Since then')
  })
})
