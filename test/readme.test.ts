/** The README's example is run, and what it shows is what one sees. */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'

const readme = readFileSync('README.md', 'utf8')
const blocks = [...readme.matchAll(/```(\w*)\n([\s\S]*?)```/g)].map(([, kind, text]) => ({
  kind,
  text: text!,
}))
const yaml = blocks.find(({ kind }) => kind === 'yaml')!.text
const shown = (start: string) => blocks.find(({ text }) => text.startsWith(start))!.text

const folder = mkdtempSync(join(tmpdir(), 'signalbox-readme-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function signalbox(command: string, flow: string): string {
  writeFileSync(join(folder, 'flow.yaml'), flow)
  try {
    return execFileSync(resolve('bin/signalbox'), [command, 'flow.yaml'], { cwd: folder, encoding: 'utf8' })
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}

describe('the README', () => {
  const mended = yaml.replace('{ to: develop }', '{ to: develop, max: 2, then: abandoned }')

  it('shows the error its flow really gives', () => {
    expect(signalbox('check', yaml)).toContain(
      shown('$ signalbox check').split('\n').slice(1).join('\n').trimEnd(),
    )
  })

  it('shows the certificate of the mended flow', () => {
    expect(signalbox('check', mended)).toContain(shown('✓ first').trimEnd())
  })

  it('shows the rehearsal of the mended flow', () => {
    const output = signalbox('rehearse', mended)
    for (const line of shown('$ signalbox rehearse').trimEnd().split('\n').slice(1))
      expect(output).toContain(line)
  })
})
