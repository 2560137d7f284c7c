// Writes docs/language.md and docs/config.md from the declarations that check such files, and docs/json.md and schema/json/
// from those of what is printed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { configReference } from '../src/cli/config/reference.ts'
import { PRINTED, printedReference, printedSchema } from '../src/model/api/printed.ts'
import { languageReference } from '../src/runbook/language/reference.ts'

writeFileSync('docs/language.md', languageReference())
writeFileSync('docs/config.md', configReference())
writeFileSync('docs/json.md', printedReference())
mkdirSync('schema/json', { recursive: true })
for (const name of Object.keys(PRINTED) as (keyof typeof PRINTED)[])
  writeFileSync(`schema/json/${name}.schema.json`, `${JSON.stringify(printedSchema(name), null, 2)}\n`)
