/** What must be read from files before a run can start: its runbook, and the config of the place it starts in. */
import { type Diagnostic, hasErrors } from '../../model/diagnostic.ts'
import type { Program } from '../../model/program.ts'
import { readConfig } from '../config/config.ts'
import { findRepository } from '../project/repository.ts'

export async function compileForStart(
  runbook: string,
): Promise<{ readonly program: Program } | { readonly problems: readonly string[] }> {
  const { compileFile } = await import('../runbooks/sources.ts')
  const { program, diagnostics } = await compileFile(runbook)
  return program === null || hasErrors(diagnostics)
    ? { problems: [`${runbook} does not pass: signalbox check ${runbook}`, ...errorLines(diagnostics)] }
    : { program }
}

const MOST_LINES = 10

const errorLines = (diagnostics: readonly Diagnostic[]): readonly string[] =>
  diagnostics
    .filter(({ severity }) => severity === 'error')
    .slice(0, MOST_LINES)
    .map(diagnosticLine)

/** Nothing starts by half of a config. */
export async function configProblems(configDir: string, dir: string): Promise<readonly string[]> {
  const ground = await findRepository(dir)
  const { diagnostics } = readConfig({ configDir, repo: 'repo' in ground ? ground.repo : null })
  return hasErrors(diagnostics) ? diagnostics.map(diagnosticLine) : []
}

export const diagnosticLine = ({ file, at, message, help }: Diagnostic): string =>
  `${file}:${at.line}:${at.column} ${message}${help === undefined ? '' : ` ${help}`}`
