/** A small project with one issue, and agents that play their parts from a script: all that the demo needs. */

const RUNBOOK = `runbook: 1
name: first-fix
vars: { issue: { required: true } }

agents:
  dev: { use: dev, writes: ["src/**", "test/**"] }
  reviewer: { use: reviewer, writes: [] }

steps:
  develop:
    agent: dev
    prompt: Fix issue \${var.issue}. Keep the change small, and prove it with a test.
    gate: node --test
    next: review

  review:
    agent: reviewer
    prompt: Review what changed since \${run.base}. Reject what has no test.
    asks: verdict
    options:
      approve: { say: Correct and tested, to: sign_off }
      reject: { say: Something must change first, to: develop, max: 2, then: sign_off }
    fields:
      feedback: { type: text, required_for: [reject], say: What must change and why }

  sign_off:
    decide: Ship this change?
    context: git diff \${run.base}...HEAD --stat
    options:
      ship: { say: Keep the branch as it is, to: done, recommended: true }
      drop: { say: Leave it, to: abandoned }
`

const SLUG_BROKEN = `/** A title as it stands in an address. */
export function slug(title) {
  return title.toLowerCase().replace(' ', '-')
}
`

const SLUG_HALF = `/** A title as it stands in an address. */
export function slug(title) {
  return title.toLowerCase().replaceAll(' ', '_')
}
`

const SLUG_GOOD = `/** A title as it stands in an address. */
export function slug(title) {
  return title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
}
`

const TEST_OLD = `import assert from 'node:assert/strict'
import { test } from 'node:test'
import { slug } from '../src/slug.js'

test('a title of three words', () => {
  assert.equal(slug('Mind the gap'), 'mind-the-gap')
})
`

const TEST_NEW = `
test('signs at the ends are left out', () => {
  assert.equal(slug('  Mind the gap!  '), 'mind-the-gap')
})
`

/** Path → content of the repository the demo works on. */
export const FILES: Readonly<Record<string, string>> = {
  'package.json': `${JSON.stringify({ name: 'platform-signs', type: 'module', private: true, scripts: { test: 'node --test' } }, null, 2)}\n`,
  'src/slug.js': SLUG_BROKEN,
  'test/slug.test.js': TEST_OLD,
  '.signalbox/first-fix.yaml': RUNBOOK,
  '.signalbox/config.yaml': `agents:
  dev: { scripted: dev.json }
  reviewer: { scripted: reviewer.json }
`,
  '.signalbox/dev.json': `${JSON.stringify(devScript(), null, 2)}\n`,
  '.signalbox/reviewer.json': `${JSON.stringify(reviewerScript(), null, 2)}\n`,
  '.signalbox/issues/1.md': `---
title: Titles of three words break their address
status: Todo
---
\`slug('Mind the gap')\` gives \`mind-the gap\`: only the first space is replaced.
`,
}

export const ISSUE = '1'
export const RUNBOOK_FILE = '.signalbox/first-fix.yaml'

function devScript() {
  const said = (say: string) => [{ say }, { wait: 500 }]
  return {
    sessions: [
      {
        when: { step: 'develop', visit: 1 },
        turns: [
          [
            ...said('Only the first space is replaced. replaceAll should do.'),
            { write: { path: 'src/slug.js', text: SLUG_HALF } },
            { wait: 300 },
            { say: 'Done.' },
          ],
          [
            ...said(
              'The gate is right: the joining sign is a dash. Anything that is not a letter or digit joins.',
            ),
            { write: { path: 'src/slug.js', text: SLUG_GOOD } },
            { wait: 300 },
            { say: 'Done, and the test passes here.' },
          ],
        ],
      },
      {
        when: { step: 'develop' },
        turns: [
          [
            ...said('The review asks for a test of the ends.'),
            { append: { path: 'test/slug.test.js', text: TEST_NEW } },
            { wait: 300 },
            { say: 'Done.' },
          ],
        ],
      },
    ],
  }
}

function reviewerScript() {
  const answer = (value: Readonly<Record<string, string>>) => ({ answer: value, via: 'mcp' })
  return {
    sessions: [
      {
        when: { step: 'review', visit: 1 },
        turns: [
          [
            { say: 'Reading the change.' },
            { run: 'git diff --stat HEAD~1' },
            { wait: 600 },
            answer({
              verdict: 'reject',
              feedback: 'Signs at the ends of a title are handled now, but no test says so.',
            }),
          ],
        ],
      },
      {
        when: { step: 'review' },
        turns: [
          [
            { say: 'Reading the change again.' },
            { run: 'node --test' },
            { wait: 400 },
            answer({ verdict: 'approve', notes: 'Small, correct, and both cases are tested.' }),
          ],
        ],
      },
    ],
  }
}
