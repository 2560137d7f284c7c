import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { digestOf } from '../src/model/digest.ts'
import { compileSource, type Source } from '../src/runbook/compile.ts'
import typed from './spellings/flow.ts'

const compile = (source: Source) => {
  const { program, diagnostics } = compileSource(source, () => ({
    kind: 'unreadable',
    why: 'does not exist',
  }))
  expect(diagnostics).toEqual([])
  return program!
}

const text = (file: string): Source => ({ file, text: readFileSync(`test/spellings/${file}`, 'utf8') })

describe('three spellings of one flow', () => {
  const yaml = compile(text('flow.yaml'))

  it('[L1] HCL gives the program that YAML gives', () => {
    expect(compile(text('flow.hcl'))).toEqual(yaml)
  })

  it('[L1] TypeScript gives the program that YAML gives', () => {
    expect(compile({ file: 'flow.ts', value: typed })).toEqual(yaml)
  })

  it('[L1] so all three have one digest', () => {
    const digests = [yaml, compile(text('flow.hcl')), compile({ file: 'flow.ts', value: typed })].map(
      digestOf,
    )
    expect(new Set(digests).size).toBe(1)
  })
})
