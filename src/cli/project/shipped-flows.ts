/** The flows that come with the package: a runbook and a folder of its name beside it, which a project takes as they are. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { list, orNear } from '../../model/nearest.ts'

export interface ShippedFile {
  /** From the top of the project. */
  readonly file: string
  readonly text: string
}

export function shippedFlow(
  name: string,
): { readonly files: readonly ShippedFile[] } | { readonly problem: string } {
  const known = shippedFlows()
  if (!known.includes(name)) {
    const near = orNear(name, known)
    return {
      problem: `There is no flow "${name}"${near}${near === '.' ? ` There are: ${list(known)}.` : ''}`,
    }
  }
  const folder = readdirSync(join(FLOWS, name), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(FLOWS.length + 1))
  const files = [`${name}.yaml`, ...folder.sort()].map((file) => ({
    file: `.signalbox/${file.split(sep).join('/')}`,
    text: readFileSync(join(FLOWS, file), 'utf8'),
  }))
  return { files }
}

const shippedFlows = (): string[] =>
  readdirSync(FLOWS)
    .filter((file) => file.endsWith('.yaml'))
    .map((file) => file.slice(0, -'.yaml'.length))

const FLOWS = ownFlows()

/** From the sources, or from what was built of them. */
function ownFlows(): string {
  const places = ['../flows', '../../flows', '../../../flows'].map((place) =>
    fileURLToPath(new URL(place, import.meta.url)),
  )
  return places.find((place) => existsSync(join(place, 'issue-to-commit.yaml'))) ?? places[2]!
}
