// Writes docs/language.md and docs/config.md from the declarations that check such files.
import { writeFileSync } from 'node:fs'
import { configReference } from '../src/cli/config/reference.ts'
import { languageReference } from '../src/runbook/language/reference.ts'

writeFileSync('docs/language.md', languageReference())
writeFileSync('docs/config.md', configReference())
