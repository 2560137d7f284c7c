/** What reaches a person's terminal. */
import { styleText } from 'node:util'
import { expect, it } from 'vitest'
import { harmless } from './terminal.ts'

it('[V9] keeps letters, lines, tabs and the colours we paint with', () => {
  const text = `a\tb\n${styleText(['red', 'bold'], 'ü 👩‍💻', { validateStream: false })}\n`
  expect(harmless(text)).toBe(text)
})

it.each([
  ['a cursor that moves', '\u001B[2J\u001B[1;1Hdone'],
  ['a title', '\u001B]0;approved\u0007'],
  ['hidden letters', '\u001B[8mrm -rf\u001B[0m'],
  ['letters in the colour of the paper', '\u001B[30;40mrm\u001B[0m'],
  ['a line written over', 'reject\rapprove'],
  ['letters taken back', 'no\b\byes'],
  ['codes of one byte', '\u009B2J\u0090x\u009C'],
  ['reordered letters', 'yes \u202Eon\u202C'],
])('[V9] takes out %s', (_what, text) => {
  const shown = harmless(text).replaceAll('\u001B[0m', '')
  expect(shown).not.toMatch(/[^\P{Cc}\n\t]|[\u202A-\u202E]/u)
})
