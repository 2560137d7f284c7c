/** The eight kinds of decision that ship. A runbook that declares one of these names replaces it. */
import type { Option } from '../../model/contract.ts'
import type { DecisionTemplate } from '../../model/program.ts'

const option = (value: string, label: string, say: string, recommended = false): Option => ({
  value,
  label,
  say,
  recommended,
  confirm: false,
  reversible: true,
})

export const TEMPLATE_LIBRARY: Readonly<Record<string, DecisionTemplate>> = {
  ambiguity: {
    hint: 'The task can be read in more than one way. Say what the readings are and which one you would take.',
    requiredContext: ['readings', 'consequence'],
    options: [],
  },
  checkpoint: {
    hint: 'A natural stopping point. Say what is finished, what comes next and what it will cost.',
    requiredContext: ['progress', 'next_steps'],
    options: [
      option('continue', 'Continue', 'Go on as planned', true),
      option('adjust', 'Adjust', 'Go on, with the change in the note'),
      option('stop', 'Stop', 'Leave the work as it is'),
    ],
  },
  confirmation: {
    hint: 'You are about to do something that is hard to take back. Say exactly what, and what it touches.',
    requiredContext: ['action', 'affects'],
    options: [option('proceed', 'Proceed', 'Do it'), option('hold', 'Hold', 'Do not do it', true)],
  },
  exception: {
    hint: 'Something unexpected happened. Say what you saw, what you expected, and what you suggest.',
    requiredContext: ['observed', 'expected'],
    options: [],
  },
  prioritization: {
    hint: 'There is more to do than fits. List the items with their worth and their cost, in your order.',
    requiredContext: ['items', 'order'],
    options: [],
  },
  quality: {
    hint: 'The result works, but not as well as it could. Say what is lacking and what mending it would take.',
    requiredContext: ['shortcoming', 'effort'],
    options: [
      option('accept', 'Accept', 'Good enough for now'),
      option('improve', 'Improve', 'Mend it before going on', true),
      option('defer', 'Defer', 'Go on, and file the rest as an issue'),
    ],
  },
  stuck: {
    hint: 'You cannot go on. Say what blocks you, what you tried, and what would free you.',
    requiredContext: ['blocker', 'tried'],
    options: [
      option('unblock', 'Unblock', 'Go on, with what the note says'),
      option('reassign', 'Reassign', 'Somebody else takes over'),
      option('drop', 'Drop', 'Give this work up'),
    ],
  },
  tradeoff: {
    hint: 'Two or more ways have different merits. Say what each wins and costs, and which you recommend.',
    requiredContext: ['alternatives', 'recommendation'],
    options: [],
  },
}
