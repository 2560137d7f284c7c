import { expect, it } from 'vitest'
import { compileSource } from '../compile.ts'
import { certify } from './certificate.ts'

it('[C13] a certificate names the steps whose command changes issues', () => {
  const text = `runbook: 1
name: a
steps:
  look: { check: make, next: file }
  file: { check: make, issues: write, next: done }
`
  const { program } = compileSource({ file: 'a.yaml', text }, () => ({ kind: 'unreadable', why: '' }))
  expect(program === null ? null : certify(program).changesIssues).toEqual(['file'])
})
