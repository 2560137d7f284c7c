/** `signalbox check FILE…`: the certificate, or everything that is wrong. */
import { byPosition, hasErrors } from '../../model/diagnostic.ts'
import type { KnownProject } from '../../runbook/compile/scope.ts'
import type { Compiled } from '../../runbook/compile.ts'
import { mermaidOf } from '../../runbook/mermaid.ts'
import { certify } from '../../runbook/proof/certificate.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { certificateText, matrixText } from './certificate-text.ts'
import { diagnosticsText } from './diagnostics-text.ts'
import { compileFile } from './sources.ts'

export interface CheckOptions {
  readonly matrix?: boolean
  readonly mermaid?: boolean
  readonly json?: boolean
  /** The project that they would run in; left out: they are judged by themselves. */
  readonly project?: KnownProject
}

export async function check(
  files: readonly string[],
  options: CheckOptions,
  terminal: Terminal,
): Promise<number> {
  const compiled: Compiled[] = []
  for (const file of files) compiled.push(await compileFile(file, options))
  if (options.json === true) terminal.write(JSON.stringify(compiled.map(asJson), null, 2))
  else
    for (const [index, one] of compiled.entries()) {
      if (index > 0) terminal.write('')
      print(one, options, terminal)
    }
  return compiled.some(({ diagnostics }) => hasErrors(diagnostics)) ? 1 : 0
}

function print({ file, program, diagnostics }: Compiled, options: CheckOptions, terminal: Terminal): void {
  if (program !== null && options.mermaid === true) {
    terminal.write(mermaidOf(program))
    return
  }
  if (diagnostics.length > 0)
    terminal.write(diagnosticsText([...diagnostics].sort(byPosition), file, terminal))
  if (program === null) return
  if (diagnostics.length > 0) terminal.write('')
  const certificate = certify(program)
  terminal.write(certificateText(certificate, file, terminal))
  if (options.matrix === true) terminal.write(`\n${matrixText(certificate.matrix, terminal)}`)
}

const asJson = ({ file, program, diagnostics }: Compiled) => ({
  file,
  ok: !hasErrors(diagnostics),
  diagnostics,
  certificate: program === null ? null : certify(program),
})
