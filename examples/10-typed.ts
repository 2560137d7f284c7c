// The same language as an object: a wrong target, a missing option or an unknown field does not compile.
import { runbook } from 'signalbox'

export default runbook({
  name: 'typed',
  agents: { dev: { use: 'default', writes: ['src/**', 'test/**'] }, check: { use: 'default', writes: [] } },
  steps: {
    develop: { agent: 'dev', prompt: 'Implement ${issue.title}.', gate: 'npm test', next: 'review' },
    review: {
      agent: 'check',
      prompt: 'Review the diff.',
      options: {
        approve: 'done',
        reject: { to: 'develop', max: 3, then: 'abandoned', say: 'Something must change first' },
      },
      fields: { feedback: { type: 'text', required_for: ['reject'] } },
    },
  },
})
