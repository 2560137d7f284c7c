/** A command in a runbook, wherever it stands. */
import type { TextShape } from './shape.ts'

export const command = (doc: string): TextShape => ({
  kind: 'text',
  doc: `${doc} Run by \`sh\`; a \`\${…}\` is always one quoted word.`,
  examples: ['npm test'],
})
