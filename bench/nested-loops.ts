/** Makes loops inside loops: each step can send the run back to the first, as often as its own `max` says. */
export function nestedLoops(loops: number, max: number): string {
  const steps = Array.from({ length: loops }, (_, index) => {
    const next = index === loops - 1 ? 'done' : `loop_${index + 2}`
    return `  loop_${index + 1}: { check: npm test, options: { pass: ${next}, fail: { to: loop_1, max: ${max}, then: ${next} } } }`
  })
  return ['runbook: 1', `name: nested-${loops}`, 'steps:', ...steps, ''].join('\n')
}
