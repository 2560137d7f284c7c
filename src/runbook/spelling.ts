/**
 * What a cure looks like in the language of the file it is for: `budgets: { rework: 1 }` in YAML and TypeScript,
 * `budgets = { rework = 1 }` in HCL, where named things are blocks of their own.
 */

export type Syntax = 'yaml' | 'hcl' | 'typescript'

export type Spelled = string | number | boolean | readonly Spelled[] | { readonly [key: string]: Spelled }

export const syntaxOf = (file: string): Syntax =>
  file.endsWith('.hcl') ? 'hcl' : /\.[cm]?[jt]s$/.test(file) ? 'typescript' : 'yaml'

/** The pairs of this map as the file would say them. `…` stands for whatever the author has there. */
export function spelled(pairs: Readonly<Record<string, Spelled>>, syntax: Syntax): string {
  return syntax === 'hcl' ? hclParts(pairs, ' ') : pairsText(pairs, syntax)
}

function pairsText(pairs: Readonly<Record<string, Spelled>>, syntax: 'yaml' | 'typescript'): string {
  return Object.entries(pairs)
    .map(([key, value]) => (key === REST ? REST : `${keyText(key, syntax)}: ${valueText(value, syntax)}`))
    .join(', ')
}

const REST = '…'

function valueText(value: Spelled, syntax: Syntax): string {
  if (typeof value === 'string') return value === REST ? REST : quoted(value, syntax)
  if (typeof value !== 'object') return `${value}`
  if (isList(value)) return `[${value.map((item) => valueText(item, syntax)).join(', ')}]`
  if (Object.keys(value).length === 0) return '{}'
  return `{ ${syntax === 'hcl' ? hclParts(value, ', ') : pairsText(value, syntax)} }`
}

const isList = (value: Spelled): value is readonly Spelled[] => Array.isArray(value)

/** What YAML would take for something else than this text. */
const NOT_PLAIN =
  /^$|^[\s\-?:,[\]{}#&*!|>'"%@`~]|[:#,[\]{}"]|\s$|^[-+.]?\d[\d._eExXoO+-]*$|^(?:true|false|null|yes|no|on|off)$/i

function quoted(text: string, syntax: Syntax): string {
  if (syntax === 'hcl') return JSON.stringify(text)
  if (syntax === 'typescript') return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  return NOT_PLAIN.test(text) ? JSON.stringify(text) : text
}

const keyText = (key: string, syntax: Syntax): string =>
  syntax === 'typescript' && !/^[A-Za-z_$][\w$]*$/.test(key) ? `'${key}'` : key

/** Maps that HCL writes as blocks: what a block is called, and the attribute that holds what is not a map. */
const BLOCKS: Readonly<Record<string, readonly [block: string, of: string]>> = {
  agents: ['agent', 'use'],
  ends: ['end', 'say'],
  fields: ['field', 'type'],
  handoffs: ['handoff', 'fields'],
  options: ['option', 'to'],
  steps: ['step', 'run'],
  templates: ['decision_template', 'prompt_hint'],
  vars: ['var', 'default'],
}

/** Keys that HCL calls otherwise. */
const RENAMED: Readonly<Record<string, string>> = { check: 'run' }

function hclParts(pairs: Readonly<Record<string, Spelled>>, between: ' ' | ', '): string {
  const { decide, ...others } = pairs
  if (decide !== undefined) return decisionText(decide, others)
  return Object.entries(pairs)
    .map(([key, value]) => {
      const block = BLOCKS[key]
      if (key === REST) return REST
      if (key === 'flow') return `run = { job = ${valueText(value, 'hcl')} }`
      if (block === undefined || typeof value !== 'object' || isList(value))
        return `${RENAMED[key] ?? key} = ${valueText(value, 'hcl')}`
      return Object.entries(value)
        .map(([name, of]) => blockText({ block, name, of }))
        .join(' ')
    })
    .join(between)
}

/** A decision holds what the other syntaxes write beside it. */
function decisionText(decide: Spelled, others: Readonly<Record<string, Spelled>>): string {
  const prompt = typeof decide === 'string' ? { prompt: decide } : {}
  return `decision { ${hclParts({ ...prompt, ...others }, ' ')} }`
}

function blockText({
  block,
  name,
  of,
}: {
  block: readonly [string, string]
  name: string
  of: Spelled
}): string {
  if (name === REST) return REST
  const body =
    of === REST
      ? REST
      : typeof of === 'object' && !isList(of)
        ? hclParts(of, ' ')
        : `${block[1]} = ${valueText(of, 'hcl')}`
  return `${block[0]} "${name}" { ${body} }`
}
