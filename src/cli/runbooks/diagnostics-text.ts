/** Diagnostics in a terminal: the manual's text (docs/checks.md), with colour and a count. */
import type { Diagnostic } from '../../model/diagnostic.ts'
import { diagnosticText } from '../../runbook/diagnostic-text.ts'
import { plural, type Terminal, visible } from '../terminal/terminal.ts'

export function diagnosticsText(
  diagnostics: readonly Diagnostic[],
  file: string,
  { paint }: Terminal,
): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length
  const warnings = diagnostics.length - errors
  const texts = diagnostics.map((diagnostic) => {
    const [first = '', ...rest] = diagnosticText(diagnostic).split('\n')
    const mark = `${diagnostic.severity}[${diagnostic.code}]`
    const painted = paint(diagnostic.severity === 'error' ? ['red', 'bold'] : ['yellow', 'bold'], mark)
    return [first.replace(mark, () => painted), ...rest.map((line) => paint('dim', line))].join('\n')
  })
  if (errors > 0)
    texts.push(
      paint(['red', 'bold'], `✗ ${visible(file)}: ${plural(errors, 'error')}`) +
        (warnings > 0 ? `, ${plural(warnings, 'warning')}` : '') +
        paint('dim', '  (docs/checks.md explains each code)'),
    )
  return texts.join('\n')
}
