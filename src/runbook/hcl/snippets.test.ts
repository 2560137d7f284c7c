/** The shapes in which decisions, gates and check-ins were first sketched as HCL: each must stay readable. */
import { describe, expect, it } from 'vitest'
import { hasErrors } from '../../model/diagnostic.ts'
import { read } from './reading.fixture.ts'

const reads = (text: string) => {
  const { value, diagnostics, findings } = read(text)
  expect(hasErrors(diagnostics)).toBe(false)
  return { value, findings }
}

describe('the first sketches', () => {
  it('gate the signal of an agent', () => {
    const { value } = reads(`
agent "worker" {
  on_signal = { action = "gate", run = "was-anybody-asked \${agent.id}" }
}
`)
    expect(value).toEqual({
      runbook: 1,
      agents: { worker: { on_signal: { action: 'gate', run: 'was-anybody-asked ${agent.id}' } } },
    })
  })

  it('prime an agent whose signal was gated, with a shell script full of quotes', () => {
    const { value } = reads(`
agent "worker" {
  prime = {
    startup = "tracker show \${var.issue}"
    signal  = <<-SHELL
      echo "## One thing before you go"
      echo ""
      echo "Ask a person, in one of these ways:"
      echo "- checkpoint: what is done + what comes"
      echo ""
      echo '  ask create --text "..." --options '"'"'[{"id":"a","label":"..."},{"id":"b","label":"..."}]'"'"
    SHELL
  }
  on_signal = { action = "gate", run = "ask list --open --json | jq -e 'length > 0'" }
}
`)
    expect(value).toEqual({
      runbook: 1,
      agents: {
        worker: {
          prime: {
            startup: 'tracker show ${var.issue}',
            signal: [
              'echo "## One thing before you go"',
              'echo ""',
              'echo "Ask a person, in one of these ways:"',
              'echo "- checkpoint: what is done + what comes"',
              'echo ""',
              `echo '  ask create --text "..." --options '"'"'[{"id":"a","label":"..."},{"id":"b","label":"..."}]'"'"`,
              '',
            ].join('\n'),
          },
          on_signal: { action: 'gate', run: "ask list --open --json | jq -e 'length > 0'" },
        },
      },
    })
  })

  it('put a decision between two agents', () => {
    const { value, findings } = reads(`
job "feature" {
  step "plan" {
    run = { agent = "planner" }
  }
  step "approve" {
    decision {
      prompt = "Is the plan good enough to build?"
      option "build"  { description = "Yes, go ahead" }
      option "revise" { description = "Not yet" }
      option "cancel" { description = "Never mind" }
    }
  }
  step "build" {
    run = { agent = "builder" }
    depends_on = ["approve"]
  }
}
`)
    expect(findings).toEqual(['10:7 option-without-target', '11:7 option-without-target'])
    expect(value).toEqual({
      runbook: 1,
      name: 'feature',
      steps: {
        plan: { agent: 'planner', next: 'approve' },
        approve: {
          decide: 'Is the plan good enough to build?',
          options: {
            build: { say: 'Yes, go ahead', to: 'build' },
            revise: { say: 'Not yet', to: 'ask' },
            cancel: { say: 'Never mind', to: 'ask' },
          },
        },
        build: { agent: 'builder', next: 'done' },
      },
    })
  })

  it('show the output of a command to whoever decides', () => {
    const { value, findings } = reads(`
step "approve" {
  decision {
    prompt   = "Look at the change"
    context  = "git diff main...HEAD --stat"  # a command: what it prints is shown
    option "merge" { description = "Land it" recommended = true }
    option "fix"   { description = "Work on it" }
  }
}
`)
    expect(findings).toEqual(['7:5 option-without-target'])
    expect(value).toEqual({
      runbook: 1,
      steps: {
        approve: {
          decide: 'Look at the change',
          context: 'git diff main...HEAD --stat',
          options: {
            merge: { say: 'Land it', recommended: true, to: 'done' },
            fix: { say: 'Work on it', to: 'ask' },
          },
        },
      },
    })
  })

  it('keep decisions of one kind as templates', () => {
    const { value, findings } = reads(`
decision_template "checkpoint" {
  prompt_hint      = "What is done, what comes"
  required_context = ["progress", "next_steps"]
  option "continue" { description = "Go on" recommended = true }
  option "adjust"   { description = "Turn" }
  option "stop"     { description = "Stop" }
}

decision_template "tradeoff" {
  prompt_hint      = "Set out the ways and pick one"
  required_context = ["options", "recommendation"]
}

decision_template "stuck" {
  prompt_hint      = "What's in the way and what you've done about it"
  required_context = ["blocker", "tried"]
  option "unblock" { description = "Here's the way" }
  option "reassign" { description = "Somebody else" }
  option "cancel"  { description = "Let it be" }
}
`)
    expect(findings).toEqual([])
    expect(value).toMatchObject({
      templates: {
        checkpoint: {
          required_context: ['progress', 'next_steps'],
          options: {
            continue: { say: 'Go on', recommended: true },
            adjust: { say: 'Turn' },
            stop: { say: 'Stop' },
          },
        },
        tradeoff: { prompt_hint: 'Set out the ways and pick one' },
        stuck: { options: { unblock: { say: "Here's the way" } } },
      },
    })
  })

  it('use a template in a step', () => {
    expect(reads('step "mid-check" {\n  decision { template = "checkpoint" }\n}\n').value).toEqual({
      runbook: 1,
      steps: { 'mid-check': { decide: true, template: 'checkpoint', next: 'done' } },
    })
  })

  it('put a file and Markdown into a prompt', () => {
    const { value } = reads(`
agent "worker" {
  prompt = <<-PROMPT
    \${file("prompts/worker.md")}

    ## When to ask
    Ask a person in these cases:
    - **Stuck**: ask create --text "..." --context '{"blocker":"...","tried":[...]}'
    - **Tradeoff**: set out the ways
  PROMPT
}
`)
    expect(value).toEqual({
      runbook: 1,
      agents: {
        worker: {
          prompt: [
            '${file("prompts/worker.md")}',
            '',
            '## When to ask',
            'Ask a person in these cases:',
            `- **Stuck**: ask create --text "..." --context '{"blocker":"...","tried":[...]}'`,
            '- **Tradeoff**: set out the ways',
            '',
          ].join('\n'),
        },
      },
    })
  })
})
