/** Makes long runbooks: stages of develop, review and sign-off, each a loop of its own, under one shared budget. */
export function longRunbook(steps: number): string {
  const stages = Math.floor(steps / 4)
  const lines = [
    'runbook: 1',
    `name: long-${steps}`,
    'budgets: { rework: 1 }',
    'agents: { dev: { use: default, writes: ["src/**"] }, check: { use: default, writes: [] } }',
    'steps:',
  ]
  for (let stage = 1; stage <= stages; stage++) {
    const next = stage === stages ? 'done' : `develop_${stage + 1}`
    lines.push(
      `  develop_${stage}: { agent: dev, prompt: "Stage ${stage}", gate: npm test, next: test_${stage} }`,
      `  test_${stage}: { check: npm test, options: { pass: review_${stage}, fail: { to: develop_${stage}, max: 2, then: review_${stage} } } }`,
      `  review_${stage}:`,
      '    agent: check',
      '    prompt: Review.',
      '    options:',
      `      approve: sign_off_${stage}`,
      `      reject: { to: develop_${stage}, max: 3, then: sign_off_${stage} }`,
      '      replan: { to: develop_1, spend: rework, then: abandoned }',
      `  sign_off_${stage}: { decide: Go on?, options: { ship: ${next}, fix: { to: develop_${stage}, max: 2, then: abandoned } } }`,
    )
  }
  return lines.join('\n')
}
