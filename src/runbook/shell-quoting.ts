/**
 * Follows a POSIX shell's quoting through a command, to know for each look-up which quotes are open around it.
 * Where a quoted word would not be safe (a comment, a here-document, backticks, arithmetic, `${…}` of the shell)
 * or where shells disagree, it says so and the look-up is refused: better a diagnostic than an injection. So
 * nothing is guessed here: what cannot be followed for certain makes all that comes after it a hazard.
 */
import type { Quote } from '../model/template.ts'

export interface ShellQuoting {
  /** Reads literal text of the command. */
  readonly read: (text: string) => void
  /** Where a look-up would stand now: its quotes, or why it may not stand here. Counts as part of a word. */
  readonly lookUp: () => { readonly quote: Quote } | { readonly unsafe: string }
}

/** `substitution` is `$(…)`, which stays part of its word; `group` is `(…)`, which ends one. */
type Place = 'bare' | 'single' | 'double' | 'substitution' | 'group' | 'backtick' | 'arithmetic' | 'parameter'

const UNSAFE: Partial<Record<Place, string>> = {
  backtick: 'inside backticks',
  arithmetic: 'inside $((…))',
  parameter: "inside the shell's own ${…}",
}

/** Inside these nothing may be looked up, so they are only followed to their end; what could hide that end is a hazard. */
const ENDS: Record<
  'backtick' | 'parameter' | 'arithmetic',
  { readonly end: string; readonly hides: RegExp; readonly hazard: string }
> = {
  backtick: { end: '`', hides: /["'\\$]/, hazard: 'after backticks that hold quotes or expansions' },
  parameter: {
    end: '}',
    hides: /["'\\`${]/,
    hazard: 'after a ${…} of the shell that holds quotes or expansions',
  },
  arithmetic: {
    end: '))',
    hides: /["'\\`$(]/,
    hazard: 'after $((…)) that holds quotes, brackets or expansions',
  },
}

/** `$$`, `$?`, `$1`…: two characters that open nothing. */
const SPECIAL = /^\$[$?!#*@\-0-9]/

export function createShellQuoting(): ShellQuoting {
  const places: Place[] = ['bare']
  let comment = false
  let wordBegins = true
  let escaped = false
  let hazard: string | null = null
  let bracketEnded = false
  const here = (): Place => places[places.length - 1]!

  function read(source: string): void {
    // A comment ends with its line, backslash or not; whether this # begins one shows only later.
    if (
      source
        .split('\n')
        .slice(0, -1)
        .some((line) => line.endsWith('\\') && /(?:^|[ \t;&|()<>])#/.test(line))
    )
      hazard ??= 'after a # on a line that ends with a backslash'
    const text = joined(source)
    for (let index = 0; index < text.length; index++) {
      const char = text[index]!
      const rest = text.slice(index, index + 6)
      if (escaped) {
        escaped = false
        wordBegins = false
        continue
      }
      if (comment) {
        comment = char !== '\n'
        wordBegins = true
        continue
      }
      const place = here()
      if (place === 'single') {
        if (char === "'") places.pop()
      } else if (place === 'double') {
        if (char === '\\') escaped = true
        else if (char === '"') places.pop()
        else index += open(rest)
      } else if (place === 'backtick' || place === 'parameter' || place === 'arithmetic') {
        const { end, hides, hazard: why } = ENDS[place]
        if (rest.startsWith(end)) {
          places.pop()
          index += end.length - 1
        } else if (hides.test(char)) hazard ??= why
      } else index += bare(char, rest)
    }
  }

  /** Outside all quotes; gives how many characters more than one were read. */
  function bare(char: string, rest: string): number {
    const begins = wordBegins
    const afterBracket = bracketEnded
    bracketEnded = char === ')'
    // Only these end a word; a carriage return or a wide space does not.
    wordBegins = ' \t\n;&|()<>'.includes(char)
    if (char === '\\') escaped = true
    else if (char === "'") places.push('single')
    else if (char === '"') places.push('double')
    else if (char === '#' && afterBracket) hazard ??= 'after )#, which shells read differently'
    else if (char === '#' && begins) comment = true
    else if (rest.startsWith('((')) hazard ??= 'after ((…)), which shells read differently'
    else if (char === '(') places.push('group')
    else if (char === ')' && here() !== 'bare') wordBegins = places.pop() === 'group'
    else if (rest.startsWith('<<')) hazard ??= 'after a here-document'
    else if (rest.startsWith("$'")) hazard ??= "after $'…', which shells read differently"
    else if (rest.startsWith('$"')) hazard ??= 'after $"…", which shells read differently'
    else if (rest.startsWith('$[')) hazard ??= 'after $[…], which shells read differently'
    // The patterns of a `case` close brackets that nothing opened.
    else if (begins && here() !== 'bare' && /^case[ \t\n]/.test(rest))
      hazard ??= 'after a `case` inside brackets'
    else return open(rest)
    return 0
  }

  /** Enters an expansion; gives how many characters more than one were read. */
  function open(rest: string): number {
    if (/^\$\$[({[]/.test(rest)) hazard ??= 'after $$ before a bracket, which shells read differently'
    if (SPECIAL.test(rest)) return 1
    if (rest.startsWith('`')) places.push('backtick')
    else if (rest.startsWith('$((')) {
      places.push('arithmetic')
      return 2
    } else if (rest.startsWith('$(')) {
      places.push('substitution')
      wordBegins = true
      return 1
    } else if (rest.startsWith('${')) {
      places.push('parameter')
      return 1
    } else if (rest.startsWith('$[')) hazard ??= 'after $[…], which shells read differently'
    return 0
  }

  function lookUp(): { readonly quote: Quote } | { readonly unsafe: string } {
    wordBegins = false
    const place = here()
    const unsafe = hazard ?? (escaped ? 'after a backslash' : comment ? 'in a comment' : UNSAFE[place])
    if (unsafe !== undefined) return { unsafe }
    return { quote: place === 'single' || place === 'double' ? place : 'bare' }
  }

  return { read, lookUp }
}

/** A backslash before a line's end joins two lines, even in the middle of an operator. Inside single quotes it does not, and there nothing is looked for. */
const joined = (text: string): string => text.replaceAll(/\\[\s\S]/g, (pair) => (pair === '\\\n' ? '' : pair))
