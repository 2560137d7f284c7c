/**
 * What of a Rust file is production code: all but its items `#[cfg(test)] mod NAME { … }`. Two texts with the same production
 * code make the same program outside of tests, so whoever may write tests only is held to that.
 *
 * Only what certainly is such an item counts: at the top of the file or directly in a `mod`, with `#[cfg(test)]` as its first
 * attribute and right behind another item. Behind an attribute or a doc comment it would take that away from the item after it,
 * inside of a macro its tokens could mean anything; there, it is production code like the rest.
 */

/** The tokens of its production code, comments among them, or what cannot be read. Only white space is left out. */
export function productionCode(
  text: string,
): { readonly tokens: readonly string[] } | { readonly problem: string } {
  const read = tokensOf(text)
  if ('problem' in read) return read
  const { tokens } = read
  const kept: string[] = []
  /** What is open: a `mod`, or anything else. */
  const open: ('mod' | 'other')[] = []
  let index = 0
  while (index < tokens.length) {
    const isItem = open.every((kind) => kind === 'mod') && endsItem(kept.findLast((one) => !isRemark(one)))
    const end = isItem ? testModuleEnd(tokens, index) : null
    if (end !== null) {
      index = end
      continue
    }
    const token = tokens[index]!
    if (OPENS.has(token)) open.push(token === '{' && isModule(tokens, index) ? 'mod' : 'other')
    else if (CLOSES.has(token) && open.pop() === undefined)
      return { problem: 'a bracket is closed that is not open' }
    kept.push(token)
    index++
  }
  return open.length > 0 ? { problem: 'a bracket is not closed' } : { tokens: kept }
}

const OPENS = new Set(['{', '(', '['])
const CLOSES = new Set(['}', ')', ']'])

/** Nothing stands before it that would belong to it: an attribute, a doc comment, a `pub`. */
const endsItem = (last: string | undefined): boolean =>
  last === undefined || last === ';' || last === '}' || last === '{' || /^\/(?:\/|\*)!/.test(last)

/** A comment that says nothing to the compiler. */
const isRemark = (token: string): boolean => /^(?:\/\/(?!!|\/(?!\/))|\/\*(?!!|\*(?![*/])))/.test(token)

const IDENTIFIER = /^(?:r#)?[\p{XID_Start}_][\p{XID_Continue}]*$/u

/** Whether the brace at this place opens a module. */
const isModule = (tokens: readonly string[], brace: number): boolean =>
  tokens[brace - 2] === 'mod' && IDENTIFIER.test(tokens[brace - 1] ?? '')

const CFG_TEST = ['#', '[', 'cfg', '(', 'test', ')', ']']

/** Behind a test module that begins here; null where none does. */
function testModuleEnd(tokens: readonly string[], start: number): number | null {
  if (!CFG_TEST.every((token, offset) => tokens[start + offset] === token)) return null
  let index = start + CFG_TEST.length
  while (tokens[index] === '#' && tokens[index + 1] === '[') index = closing(tokens, index + 1) + 1
  if (tokens[index] === 'pub') index = tokens[index + 1] === '(' ? closing(tokens, index + 1) + 1 : index + 1
  if (tokens[index] !== 'mod' || !IDENTIFIER.test(tokens[index + 1] ?? '')) return null
  // A module in another file: that one is judged by itself.
  if (tokens[index + 2] === ';') return index + 3
  if (tokens[index + 2] !== '{') return null
  const end = closing(tokens, index + 2)
  return end < tokens.length ? end + 1 : null
}

/** Where the bracket at this place is closed; the number of tokens where it is not. */
function closing(tokens: readonly string[], start: number): number {
  let depth = 0
  for (let index = start; index < tokens.length; index++) {
    if (OPENS.has(tokens[index]!)) depth++
    else if (CLOSES.has(tokens[index]!) && --depth === 0) return index
  }
  return tokens.length
}

const BLANK = /\p{White_Space}+/uy
const RAW_STRING = /(?:b|c)?r(#*)"/y
const STRING = /(?:b|c)?"(?:[^"\\]|\\[\s\S])*"/y
const CHARACTER = /b?'(?:[^'\\\n\r\t]|\\(?:u\{[^}]*\}|x[0-9a-fA-F]{2}|[\s\S]))'/uy
const LIFETIME = /'(?:r#)?[\p{XID_Start}_][\p{XID_Continue}]*/uy
const WORD = /(?:r#)?[\p{XID_Start}_][\p{XID_Continue}]*|[0-9][\p{XID_Continue}]*/uy

/**
 * Words, strings and comments whole, everything else a character each. One that stands right behind another is told with it
 * (`&` and `&&&` for `&&`), for `a & &b` is not `a && b`; behind what ends or begins an item that makes no difference.
 */
function tokensOf(text: string): { readonly tokens: string[] } | { readonly problem: string } {
  const tokens: string[] = []
  let at = 0
  /** The sign that ended right here. */
  let before = ''
  const match = (pattern: RegExp): string | null => {
    pattern.lastIndex = at
    return pattern.exec(text)?.[0] ?? null
  }
  while (at < text.length) {
    const blank = match(BLANK)
    if (blank !== null) {
      at += blank.length
      before = ''
      continue
    }
    const whole = wholeAt(text, at)
    if (typeof whole === 'object') return whole
    const token = whole || match(STRING) || match(CHARACTER) || match(LIFETIME) || match(WORD)
    const sign = String.fromCodePoint(text.codePointAt(at)!)
    if (token === null && sign === '"') return { problem: 'a string is not closed' }
    tokens.push(token ?? (JOINING.test(before) && JOINING.test(sign) ? `${before}${sign}${sign}` : sign))
    before = token === null ? sign : ''
    at += (token ?? sign).length
  }
  return { tokens }
}

/** Signs of which several can be one. */
const JOINING = /^[!$%&*+\-./:<=>?@^|~#]$/

/** A comment or a raw string that begins here; nothing where none does. */
function wholeAt(text: string, at: number): string | { readonly problem: string } {
  if (text.startsWith('//', at)) return text.slice(at, lineEnd(text, at)).trimEnd()
  if (text.startsWith('/*', at)) {
    const end = commentEnd(text, at)
    return end === null ? { problem: 'a comment is not closed' } : text.slice(at, end)
  }
  RAW_STRING.lastIndex = at
  const raw = RAW_STRING.exec(text)
  if (raw === null) return ''
  const close = `"${raw[1]}`
  const end = text.indexOf(close, at + raw[0].length)
  if (end < 0) return { problem: 'a raw string is not closed' }
  const inner = text.slice(at + raw[0].length, end)
  // Before 2021 that is a name and a string with escapes, which would end elsewhere.
  if (raw[0].startsWith('c') && /["\\]/.test(inner))
    return { problem: 'a raw C string with a quotation mark or a backslash ends elsewhere in older editions' }
  return text.slice(at, end + close.length)
}

const lineEnd = (text: string, from: number): number => {
  const end = text.indexOf('\n', from)
  return end < 0 ? text.length : end
}

/** They nest. */
function commentEnd(text: string, from: number): number | null {
  let depth = 0
  for (let at = from; at < text.length; ) {
    if (text.startsWith('/*', at)) {
      depth++
      at += 2
    } else if (text.startsWith('*/', at)) {
      depth--
      at += 2
      if (depth === 0) return at
    } else at++
  }
  return null
}
