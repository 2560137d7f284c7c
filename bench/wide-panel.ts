/** Makes a review by a panel of many: each member approves or rejects, or ends in a fault. */
export function widePanel(members: number): string {
  const names = Array.from({ length: members }, (_, index) => `member_${index + 1}`)
  return `runbook: 1
name: panel-of-${members}
agents:
  dev: { use: default }
${names.map((name) => `  ${name}: { use: default, writes: [] }`).join('\n')}
steps:
  develop: { agent: dev, prompt: Work., next: review }
  review:
    panel: [${names.join(', ')}]
    prompt: Review.
    options: { approve: done, reject: { to: develop, max: 1, then: abandoned } }
`
}
