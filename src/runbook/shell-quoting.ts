/**
 * Follows a POSIX shell's quoting through a command, to know for each look-up which quotes are open around it.
 * Where a quoted word would not be safe (a comment, a here-document, backticks, arithmetic, `${…}` of the shell)
 * or where shells disagree, it says so and the look-up is refused: better a diagnostic than an injection.
 */
import type { Quote } from '../model/template.ts'

export interface ShellQuoting {
  /** Reads literal text of the command. */
  read(text: string): void
  /** Where a look-up would stand now: its quotes, or why it may not stand here. Counts as part of a word. */
  lookUp(): { readonly quote: Quote } | { readonly unsafe: string }
}

type Place = 'bare' | 'single' | 'double' | 'paren' | 'backtick' | 'arithmetic' | 'parameter'

const UNSAFE: Partial<Record<Place, string>> = {
  backtick: 'inside backticks',
  arithmetic: 'inside $((…))',
  parameter: "inside the shell's own ${…}",
}

export function createShellQuoting(): ShellQuoting {
  const places: Place[] = ['bare']
  let comment = false
  let wordBegins = true
  let escaped = false
  let hazard: string | null = null
  const here = (): Place => places[places.length - 1]!

  function read(text: string): void {
    for (let index = 0; index < text.length; index++) {
      const char = text[index]!
      const rest = text.slice(index, index + 3)
      if (escaped) {
        escaped = false
        wordBegins = false
        continue
      }
      if (comment) {
        if (char === '\n') comment = false
        wordBegins = true
        continue
      }
      switch (here()) {
        case 'single':
          if (char === "'") places.pop()
          break
        case 'double':
          if (char === '\\') escaped = true
          else if (char === '"') places.pop()
          else index += open(rest)
          break
        case 'bare':
        case 'paren':
          index += bare(char, rest)
          break
        // Inside these nothing may be looked up, so they are only followed to their end; what could hide that
        // end makes everything after it unclear.
        case 'backtick':
          if (char === '`') places.pop()
          else if (/["'\\$]/.test(char)) hazard ??= 'after backticks that hold quotes or expansions'
          break
        case 'parameter':
          if (char === '}') places.pop()
          else if (/["'\\`$]/.test(char))
            hazard ??= 'after a ${…} of the shell that holds quotes or expansions'
          break
        case 'arithmetic':
          if (rest.startsWith('))')) {
            places.pop()
            index++
          } else if (/["'\\`]/.test(char)) hazard ??= 'after $((…)) that holds quotes'
          break
      }
    }
  }

  function bare(char: string, rest: string): number {
    const begins = wordBegins
    wordBegins = /[\s;&|()<>]/.test(char)
    if (char === '\\') escaped = true
    else if (char === "'") places.push('single')
    else if (char === '"') places.push('double')
    else if (char === '#' && begins) comment = true
    else if (char === '(') places.push('paren')
    else if (char === ')' && here() === 'paren') places.pop()
    else if (rest.startsWith('<<') && rest !== '<<<') hazard ??= 'after a here-document'
    else if (rest.startsWith("$'")) hazard ??= "after $'…', which shells read differently"
    else return open(rest)
    return 0
  }

  /** Enters an expansion; gives how many characters more than one were read. */
  function open(rest: string): number {
    if (rest.startsWith('`')) places.push('backtick')
    else if (rest.startsWith('$((')) {
      places.push('arithmetic')
      return 2
    } else if (rest.startsWith('$(')) {
      places.push('paren')
      wordBegins = true
      return 1
    } else if (rest.startsWith('${')) {
      places.push('parameter')
      return 1
    }
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
