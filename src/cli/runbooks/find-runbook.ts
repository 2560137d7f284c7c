/** The runbook that somebody names: by its path, or by its name in the project. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { list, orNear } from '../../model/nearest.ts'

const FOLDER = '.signalbox'
const ENDINGS = /\.(?:yaml|yml|hcl|ts)$/

export function findRunbook(name: string): { readonly runbook: string } | { readonly problem: string } {
  const places = [name, ...['yaml', 'yml', 'hcl', 'ts'].map((ending) => join(FOLDER, `${name}.${ending}`))]
  const runbook = places.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile() === true)
  if (runbook !== undefined) return { runbook: resolve(runbook) }
  // What is clearly a path is told about as one.
  if (ENDINGS.test(name) || basename(name) !== name) return { runbook: resolve(name) }
  const known = runbooksHere()
  const near = orNear(name, known)
  const others = near === '.' && known.length > 0 ? ` There are: ${list(known)}.` : ''
  return {
    problem: `There is no runbook "${name}", neither a file of that name nor one in ${FOLDER}/${near}${others}`,
  }
}

const runbooksHere = (): string[] =>
  existsSync(FOLDER)
    ? readdirSync(FOLDER)
        .filter((file) => ENDINGS.test(file) && file !== 'config.yaml')
        .map((file) => file.replace(ENDINGS, ''))
    : []
