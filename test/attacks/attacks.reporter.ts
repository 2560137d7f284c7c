/**
 * Holds the list of attacks against what came of them: a file whose attack was skipped, has no test, or proved nothing
 * fails the whole run, as one does that was never run where everything was to be.
 */
import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Reporter, TestModule, Vitest } from 'vitest/node'

export interface Attacked {
  readonly file: string
  readonly tests: readonly { readonly name: string; readonly state: string; readonly deeds: number }[]
}

const HERE = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '')
const isAttack = (name: string): boolean => name.endsWith('.test.ts') && name !== 'attacks.reporter.test.ts'

export const attackFiles = (): string[] => readdirSync(HERE).filter(isAttack)

/** What is wrong, as sentences. Failed tests speak for themselves. */
export function wrongWith(results: readonly Attacked[], wanted: readonly string[]): string[] {
  const seen = new Map(results.map((result) => [result.file, result.tests]))
  const missing = wanted.filter((file) => !seen.has(file)).map((file) => `${file} was not run`)
  const empty = results.filter(({ tests }) => tests.length === 0).map(({ file }) => `${file} has no attack`)
  const hollow = results.flatMap(({ file, tests }) =>
    tests
      .filter(({ state, deeds }) => state !== 'failed' && (state !== 'passed' || deeds === 0))
      .map(({ name, state }) =>
        state === 'passed'
          ? `${file}: "${name}" passed without an attack`
          : `${file}: "${name}" was ${state}`,
      ),
  )
  return [...missing, ...empty, ...hollow]
}

export default class AttacksReporter implements Reporter {
  #namesPicked = false

  onInit({ config }: Vitest): void {
    this.#namesPicked = config.testNamePattern !== undefined
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    // A machine of one's own may have no sandbox; CI must.
    if (process.env['CI'] === undefined || this.#namesPicked) return
    const results = modules
      .filter(({ moduleId }) => dirname(moduleId) === HERE && isAttack(basename(moduleId)))
      .map((module) => ({
        file: basename(module.moduleId),
        tests: [...module.children.allTests()].map((test) => ({
          name: test.name,
          state: test.result().state,
          deeds: test.meta().deeds ?? 0,
        })),
      }))
    const everything = process.argv.slice(3).length === 0
    const wrong = wrongWith(results, everything ? attackFiles() : [])
    if (wrong.length === 0) return
    console.error(`\nAttacks that prove nothing:\n${wrong.map((each) => `  ${each}\n`).join('')}`)
    process.exitCode = 1
  }
}
