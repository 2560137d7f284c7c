/**
 * The pattern of a headline: the same words, with what changes from one question to the next put as what it is. Two
 * headlines are alike if they have the same pattern, and not otherwise; so whatever answers a pattern answers nothing else.
 */

/** `Update lockfile 12?` → `Update lockfile {number}?` */
export const headlinePattern = (headline: string): string =>
  headline.replaceAll(CHANGING, (found, ...rest) => {
    const groups = rest.at(-1) as Readonly<Record<string, string | undefined>>
    const kind = Object.keys(groups).find((name) => groups[name] !== undefined)
    // A brace that was written is not one of ours.
    return kind === undefined ? `${found}${found}` : `{${kind}}`
  })

/** One word in quotes: several say something that matters. */
const QUOTED =
  /"[^\s"]{1,80}"|`[^\s`]{1,80}`|“[^\s“”]{1,80}”|(?<![\p{L}\p{N}])'[^\s']{1,80}'(?![\p{L}\p{N}])/u
/** From the root, from here or from home; or with two slashes, or one and a file's name: `and/or` is none. */
const PATH =
  /(?<![\w./~-])(?:(?:~|\.{1,2})?\/[\w.@-]+(?:\/[\w.@-]+)*\/?|[\w.@-]+\/[\w.@-]+(?:\/[\w.@-]+)+\/?|[\w.@-]+\/[\w@-]+(?:\.\w{1,8})+)(?![\w/])/u
/** Of a commit, a run, an issue: letters and digits mixed as nobody would write a word. */
const ID =
  /(?<![\w-])(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=[a-f]*\d)(?=\d*[a-f])[\da-f]{7,64}|[A-Z][A-Z\d]{1,9}-\d{1,8}|(?=(?:[a-z]*\d){2})(?=[a-z\d]*\d[a-z])[a-z\d]{8,40})(?![\w-])/u
/** Also in a version: `v1.2.3`. */
const NUMBER = /(?<![\p{L}\p{N}_.-])v?\d{1,15}(?:[.,:]\d{1,15})*(?![\p{L}\p{N}_])/u

const CHANGING = new RegExp(
  [
    `(?<quoted>${QUOTED.source})`,
    `(?<path>${PATH.source})`,
    `(?<id>${ID.source})`,
    `(?<number>${NUMBER.source})`,
    '[{}]',
  ].join('|'),
  'gu',
)
