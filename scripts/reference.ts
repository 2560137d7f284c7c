// Writes docs/language.md from the language's own declaration.
import { writeFileSync } from 'node:fs'
import { languageReference } from '../src/runbook/language/reference.ts'

writeFileSync('docs/language.md', languageReference())
