import { describe, expect, it } from 'vitest'
import { NO_KEEPS } from '../confinement/keeps/keeps.ts'
import { programOf } from '../ready-agents/ready-agent.ts'
import { readyAgent } from '../ready-agents/ready-agents.ts'
import type { AgentProgram } from './agent-program.ts'
import { modelWay, whyNoModel, withModel } from './chosen-model.ts'

const PLAIN: AgentProgram = {
  name: 'mine',
  driver: 'acp',
  argv: ['mine', '--acp'],
  prompt: 'stdin',
  env: { A: '1' },
  keeps: NO_KEEPS,
  permissions: 'auto',
  install: '',
}
const SCRIPT: AgentProgram = { ...PLAIN, driver: 'command', argv: ['mine', '-m', '{model}', 'x{model}y'] }

describe('the model of an agent', () => {
  it('[D19] is a variable, an argument, a word of its command or a matter of its protocol', () => {
    const variable = withModel({ ...PLAIN, modelBy: { variable: 'M' } }, 'big')
    expect([variable.program.env, variable.asked]).toEqual([{ A: '1', M: 'big' }, null])
    const argument = withModel(
      { ...PLAIN, argv: ['m', '--model', 'old', 'x'], modelBy: { argument: '--model' } },
      'big',
    )
    expect([argument.program.argv, argument.asked]).toEqual([['m', 'x', '--model', 'big'], null])
    expect(withModel(SCRIPT, 'big').program.argv).toEqual(['mine', '-m', 'big', 'xbigy'])
    expect(withModel(PLAIN, 'big')).toEqual({ program: PLAIN, asked: 'big' })
  })

  it('[D19] is what the runbook says, else the config, else whichever the program has', () => {
    expect(withModel({ ...PLAIN, model: 'small' }, 'big').asked).toBe('big')
    expect(withModel({ ...PLAIN, model: 'small' }, null).asked).toBe('small')
    expect(withModel(PLAIN, null)).toEqual({ program: PLAIN, asked: null })
  })

  it('[D19] that cannot be had is told before a run', () => {
    const mute = { ...SCRIPT, argv: ['mine'] }
    expect(whyNoModel(mute, 'big')).toContain('its command has no {model} to put it in')
    expect(whyNoModel({ ...mute, model: 'small' }, null)).toContain('"small"')
    expect(whyNoModel(SCRIPT, null)).toContain('has {model} in it, and nothing says which')
    expect([whyNoModel(mute, null), whyNoModel(SCRIPT, 'big'), whyNoModel(PLAIN, 'big')]).toEqual([
      null,
      null,
      null,
    ])
  })

  it.each([
    ['claude', 'ANTHROPIC_MODEL'],
    ['gemini', '--model'],
    ['goose', 'GOOSE_MODEL'],
    ['kimi', 'protocol'],
  ])('of %s is told by %s', (name, way) => {
    expect(modelWay(programOf(readyAgent(name)!))).toBe(way)
  })
})
