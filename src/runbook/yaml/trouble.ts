/**
 * What is wrong with a text that is not YAML, in the author's words. The library says where its grammar gave up, which
 * is often far from the slip, and goes on to complain about what follows from it: here each slip is told once, where
 * it was made, with its cure.
 */
import type { CST, YAMLError } from 'yaml'
import { brief } from '../language/shape.ts'
import { oddCharacter } from '../odd-characters.ts'
import {
  gluedPair,
  isInFlow,
  lookUpInBrackets,
  missingComma,
  strayBracket,
  unclosedBracket,
} from './brackets.ts'
import type { Complaint, YamlTrouble } from './complaint.ts'
import { deeperLine, lineAt, strayIndentation } from './indentation.ts'

type Problem = Pick<YAMLError, 'code' | 'message' | 'pos'>

const MOST = 20
/** One slip may be complained about at every sign that follows it. */
const MOST_READ = 200

export function yamlTroubles(
  text: string,
  tokens: readonly CST.Token[],
  problems: readonly Problem[],
): YamlTrouble[] {
  const tabs = problems.filter(({ code }) => code === 'TAB_AS_INDENT').slice(0, MOST)
  if (tabs.length > 0) return tabs.map(({ pos: [offset] }) => ({ offset, ...TAB }))
  const flat = flattened(tokens)
  const told = new Map<number, YamlTrouble>()
  for (const { code, message, pos } of problems.slice(0, MOST_READ)) {
    const [start, end] = [Math.min(pos[0], text.length), Math.min(pos[1], text.length)]
    const complaint: Complaint = { text, start, end, message, tokens: flat }
    const trouble = whiteSpace(complaint) ?? EXPLAINED[code]?.(complaint) ?? asSaid(complaint)
    const line = text.lastIndexOf('\n', trouble.offset - 1)
    if (!told.has(line)) told.set(line, trouble)
    if (trouble.last === true || told.size === MOST) break
  }
  return [...told.values()]
}

const TAB = {
  message: 'A tab indents here; YAML takes spaces.',
  help: 'Replace it by spaces, two for each level.',
}

/** A tab or an odd space on the lines in question is the cause of whatever the parser says about them. */
function whiteSpace({ text, start, end }: Complaint): YamlTrouble | null {
  const from = text.lastIndexOf('\n', start - 1) + 1
  const to = text.indexOf('\n', Math.max(start, end - 1))
  const lines = text.slice(from, to === -1 ? text.length : to)
  const tab = /^ *\t/m.exec(lines)
  if (tab !== null) return { offset: from + tab.index + tab[0].length - 1, ...TAB }
  const odd = oddCharacter(lines)
  if (odd === null) return null
  return {
    offset: from + odd.index,
    message: `Here stands ${odd.name}, which YAML takes for a letter.`,
    help: 'Replace it by a plain space, or remove it.',
  }
}

const EXPLAINED: Partial<Record<YAMLError['code'], (complaint: Complaint) => YamlTrouble | null>> = {
  MISSING_CHAR: (complaint) =>
    unclosedQuote(complaint) ??
    unclosedBracket(complaint) ??
    missingComma(complaint) ??
    (complaint.message.startsWith('Implicit map keys') ? brokenKey(complaint) : null),
  BAD_INDENT: (complaint) => unclosedBracket(complaint) ?? strayIndentation(complaint.text, complaint.start),
  BLOCK_IN_FLOW: (complaint) => gluedPair(complaint) ?? colonInText(complaint),
  BLOCK_AS_IMPLICIT_KEY: (complaint) => deeperLine(complaint) ?? colonInText(complaint),
  MULTILINE_IMPLICIT_KEY: (complaint) =>
    (isInFlow(complaint) ? gluedPair(complaint) : deeperLine(complaint)) ?? brokenKey(complaint),
  BAD_SCALAR_START: signFirst,
  BAD_ALIAS: signFirst,
  TAG_RESOLVE_FAILED: signFirst,
  BAD_DQ_ESCAPE: unknownEscape,
  UNEXPECTED_TOKEN: (complaint) =>
    lookUpInBrackets(complaint) ??
    textAfter(complaint) ??
    listOnLine(complaint) ??
    strayBracket(complaint) ??
    besideBlockSign(complaint) ??
    missingComma(complaint),
}

function unclosedQuote({ message, tokens, start }: Complaint): YamlTrouble | null {
  if (!/^Missing closing ["']/.test(message)) return null
  const token = tokens.find((one) => isQuoted(one) && one.offset + one.source.length === start)
  const quote = message.includes("'") ? "'" : '"'
  return {
    offset: token?.offset ?? start,
    message: `The text that opens here with ${quote} is never closed.`,
    help: `Write ${quote} at its end.`,
    last: true,
  }
}

const isQuoted = (token: CST.Token): token is CST.FlowScalar =>
  token.type === 'double-quoted-scalar' || token.type === 'single-quoted-scalar'

function colonInText({ text, start }: Complaint): YamlTrouble | null {
  const line = lineAt(text, start)
  const colon = /:(?=\s|$)/.exec(line)
  if (colon === null) return null
  const value = line.replace(/\s+#.*$/, '').trimEnd()
  const quotes = value.includes('"') || value.includes('\\') ? "'" : '"'
  const quotable = value.length <= 60 && !value.includes("'") && !/[{}[\],]/.test(value)
  const isPair = /^[\w-]+:\s+\S+$/.test(value)
  return {
    offset: start + colon.index,
    message: 'This colon would begin a map inside a text.',
    help: quotable
      ? `${isPair ? `Write { ${value} } for a map, or quote` : 'Quote'} the text: ${quotes}${value}${quotes}.`
      : 'Quote the text that holds it.',
  }
}

/** `key:value` without a space, or `key` without a colon, on a line of its own. */
function brokenKey({ text, start }: Complaint): YamlTrouble | null {
  const line = lineAt(text, start).trimEnd()
  const glued = /^([\w-]+):(?=[^\s:])/.exec(line)
  if (glued !== null)
    return {
      offset: start + glued[0].length,
      message: 'A space is missing after the colon.',
      help: `Write \`${glued[1]}: ${brief(line.slice(glued[0].length))}\`.`,
    }
  if (!/^[\w -]+$/.test(line)) return null
  const above = text.slice(0, start).trimEnd()
  if (/: *[|>][+-]?\d?$/.test(above.slice(-200)))
    return {
      offset: start,
      message: 'A text of several lines is indented deeper than its key.',
      help: 'Indent its lines by two spaces more.',
    }
  const [, key, value] = /^([\w-]+) +([\w-]+)$/.exec(line) ?? []
  if (key !== undefined)
    return {
      offset: start + key.length,
      message: `A colon is missing after "${brief(key)}".`,
      help: `Write \`${brief(key)}: ${value}\`; or indent it deeper if it goes on with the text above.`,
    }
  return {
    offset: start + line.length,
    message: `A colon is missing after "${brief(line)}".`,
    help: `Write \`${brief(line)}:\`; or indent it deeper if it goes on with the text above.`,
  }
}

function signFirst({ text, start }: Complaint): YamlTrouble {
  const value = /^[^\s,\]}]+/.exec(text.slice(start, start + 60))?.[0] ?? text[start] ?? ''
  return {
    offset: start,
    message: `A text cannot begin with ${value[0] ?? 'this sign'} unless it stands in quotes.`,
    help: `Write "${value}".`,
  }
}

function unknownEscape({ text, start }: Complaint): YamlTrouble {
  const pair = text.slice(start, start + 2)
  return {
    offset: start,
    message: `${pair} is not an escape of a text in double quotes.`,
    help: `Write \\${pair}, or put the text into single quotes, where a backslash is a backslash.`,
  }
}

/** `'it's'`, `"x" y`, `[ -f x ] && y`: the value has ended, and the text goes on. */
function textAfter({ text, start, tokens, message }: Complaint): YamlTrouble | null {
  if (!message.includes('at node end')) return null
  const before = text.slice(0, start).trimEnd().at(-1)
  if (before === "'" || before === '"')
    return {
      offset: start,
      message: `The text in quotes has ended before this.`,
      help:
        before === "'"
          ? "Inside single quotes a ' is written twice: 'it''s'. Or put the whole text into double quotes."
          : 'Put the whole text into the quotes; inside them " is written \\".',
      last: true,
    }
  const bracket = tokens.findLast((one) => one.type === 'flow-collection' && one.offset < start)
  if (bracket?.type !== 'flow-collection' || (before !== '}' && before !== ']')) return null
  return {
    offset: bracket.offset,
    message: `A text that begins with ${bracket.start.source} stands in quotes.`,
    help: 'Quote the whole text.',
    last: true,
  }
}

function listOnLine({ message, start }: Complaint): YamlTrouble | null {
  if (!message.includes('block-seq-ind')) return null
  return {
    offset: start,
    message: 'A list cannot begin on the line of its key.',
    help: 'Write each "- item" on a line below, or [item, item] here.',
    last: true,
  }
}

function besideBlockSign({ message, start }: Complaint): YamlTrouble | null {
  if (!message.startsWith('Block scalar header')) return null
  return {
    offset: start,
    message: 'A text of several lines begins on the line after its | or >.',
    help: 'Move this to the next line, indented deeper than the key.',
  }
}

function asSaid({ message, start }: Complaint): YamlTrouble {
  const said = brief(message.split('\n')[0]!.replace(/ at line \d+, column \d+:?$/, ''))
  return {
    offset: start,
    message: /[.!?]$/.test(said) ? said : `${said}.`,
    help: 'Check indentation, colons and quotes around here; quote texts that hold ": " or start with a sign.',
  }
}

/** Every token in the order of the text, found without recursion. */
function flattened(tokens: readonly CST.Token[]): CST.Token[] {
  const found: CST.Token[] = []
  const open = tokens.toReversed()
  for (let token = open.pop(); token !== undefined; token = open.pop()) {
    found.push(token)
    const inner: CST.Token[] = []
    if (token.type === 'document' && token.value !== undefined) inner.push(token.value)
    if ('items' in token)
      for (const { key, value } of token.items) {
        if (key !== undefined && key !== null) inner.push(key)
        if (value !== undefined) inner.push(value)
      }
    for (const one of inner.toReversed()) open.push(one)
  }
  return found
}
