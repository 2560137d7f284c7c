import { placeOfFile, readerAt } from '../src/cli/runbooks/runbook-files.ts'
import type { Program } from '../src/model/program.ts'
import { compileSource } from '../src/runbook/compile.ts'

/** The program of a runbook that is known to be right; what it names is read beside it. */
export function compiled(file: string, text: string): Program {
  const place = placeOfFile(file)
  if ('why' in place) throw new Error(`${file} ${place.why}`)
  return programOf(compileSource({ file, text }, readerAt(place)))
}

/** The same for runbooks that stand in no folder: the first is the whole. */
export function compiledFrom(files: Readonly<Record<string, string>>): Program {
  const [[file, text] = ['', '']] = Object.entries(files)
  return programOf(
    compileSource({ file, text }, (path) => ({ kind: 'text', text: files[path] ?? '', file: path })),
  )
}

function programOf({ program, diagnostics }: ReturnType<typeof compileSource>): Program {
  if (program === null) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  return program
}
