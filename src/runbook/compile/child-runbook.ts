/** The runbook that a flow step names, read and compiled on its own. */
import { hasErrors } from '../../model/diagnostic.ts'
import type { Program } from '../../model/program.ts'
import type { Tree } from '../tree.ts'
import { type Scope, spotOf } from './scope.ts'
import type { TemplateTree } from './template-tree.ts'

interface Loaded {
  readonly program: Program
  readonly templates: TemplateTree
}

export function loadChild(scope: Scope, flow: Tree, path: string): Loaded | null {
  if (!/\.(?:ya?ml|hcl)$/.test(path)) {
    scope.report.add({
      code: 'missing-file',
      ...spotOf(flow),
      message: `"${path}" is not a .yaml or .hcl file.`,
      help: 'A flow step takes a runbook that is written down in YAML or HCL.',
    })
    return null
  }
  const file = scope.readFile(path, scope.report.file)
  if (file.kind === 'unreadable') {
    scope.report.add({
      code: 'missing-file',
      ...spotOf(flow),
      message: `The runbook ${path} ${file.why}.`,
      help: 'Paths are relative to this runbook. A flow step takes a .yaml or .hcl file.',
    })
    return null
  }
  if (scope.within.includes(file.file)) {
    scope.report.add({
      code: 'flow-cycle',
      ...spotOf(flow),
      message: `${path} contains itself.`,
      help: 'A flow is written into the place where it stands, so it cannot stand in itself. Use a bounded loop.',
      trail: [...scope.within.slice(scope.within.indexOf(file.file)), file.file],
    })
    return null
  }
  const { program, templates, diagnostics } = scope.compileChild({ file: file.file, text: file.text })
  for (const diagnostic of diagnostics)
    if (diagnostic.severity === 'error' && !scope.report.diagnostics.includes(diagnostic))
      scope.report.diagnostics.push(diagnostic)
  if (program === null && !hasErrors(diagnostics))
    scope.report.add({
      code: 'no-flow',
      ...spotOf(flow),
      message: `There is no step in ${path}, so it cannot stand here.`,
      help: 'Name a runbook with steps.',
    })
  return program === null || hasErrors(diagnostics) ? null : { program, templates }
}
