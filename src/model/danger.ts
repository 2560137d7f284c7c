/**
 * What cannot be undone, whatever an agent says about it. A list of patterns, held against an option's own words: too
 * many matches cost a person a moment, too few could cost a repository. No list is whole: it is a net under what agents
 * say of themselves, and never a reason to believe what it lets through.
 */

import { hiddenWordsIn, readingsOf } from './plain-words.ts'

interface Danger {
  readonly name: string
  /** Held against each reading of a text: one space between words, identifiers taken apart. */
  readonly pattern: RegExp
}

const any = (...patterns: readonly RegExp[]): RegExp =>
  new RegExp(patterns.map(({ source }) => source).join('|'), 'iu')

const DANGERS: readonly Danger[] = [
  {
    name: 'rewrites shared history',
    pattern: any(
      /\bforc(?:e|ed|es|ing)[- ]?(?:git )?push/,
      /\bpush(?:es|ed|ing)?\b[^\n]{0,80}(?:--force|--mirror|--delete| --?[a-z]*f\b| \+[\w/]|\bwith force\b|\bforcibly\b)/,
      /\boverwrit\w+ (?:the )?(?:remote|upstream|origin|shared|published)/,
      /\brewrit\w+ (?:the |our |its |all )?(?:git |commit |public |shared )?history/,
      /\bfilter-(?:branch|repo)\b|\breflog expire\b|\breset (?:[^\n]{0,40} )?--hard\b/,
      /\bbranch (?:-d|--delete)\b|\bgit clean\b[^\n]{0,20} -\w*[fdx]/,
    ),
  },
  {
    name: 'deletes something',
    pattern: any(
      /\brm (?:[^\n]{0,40} )?(?:-\w*[rf]|--recursive|--force)|\brmdir\b|\bunlink(?:s|ed|ing)?\b|\bshred\b|\bmkfs\b|\bdd (?:if|of)=/,
      /\b(?:delet|destroy|eras|wip|purg|nuk|obliterat)(?:e|es|ed|ing|s|ion|ions)?\b/,
      /\b(?:drop|truncat)(?:e|s|es|ed|ping|ped|ing)? (?:[\w-]+ ){0,3}(?:tables?|databases?|db|schemas?|columns?|ind(?:ex|exes|ices)|collections?|volumes?|buckets?|partitions?|backups?|data|logs?|rows?)\b/,
      /\bremov\w+ (?:all|every|(?:the |our |their |its )?(?:[\w-]+ ){0,2}(?:data|databases?|repository|repositories|branch(?:es)?|backups?|accounts?|users?|customers?|buckets?|volumes?|snapshots?|history))\b/,
      /\bget(?:s|ting)? rid of\b|\bthrow(?:s|ing)? (?:it |them |all |everything |the [\w-]+ )?away\b/,
      /\bdiscard(?:s|ing)? (?:all|every|the|any|my|your|their|uncommitted|local)\b/,
      /\boverwrit\w+ (?:the |all |any |their |your |existing )*(?:data|databases?|backups?|files|changes|work|records?)\b/,
      /\bprun(?:e|es|ing) (?:all|the|images|volumes|branches|backups)\b|\bsystem prune\b|\bterraform (?:destroy|apply)\b|\bhelm uninstall\b/,
    ),
  },
  {
    name: 'touches production',
    pattern: any(
      /\bprod(?:uction)?\b|\b(?:un|re)?deploy\w*|\broll(?:s|ed|ing)? ?out\b|\bgo(?:es|ing)? live\b/,
      /\blive (?:site|system|server|servers|database|db|data|service|traffic|users|customers|environment|cluster)\b/,
      /\breleas(?:e|es|ed|ing) (?:it |this |them |[\w-]+ )?(?:to |as )?(?:v?\d|version|the (?:version|package|build)|a (?:new )?version|users|customers|the public|npm|pypi|crates)/,
      /\b(?:cut|make|tag|create|new)(?:s|ting|ing)? (?:a |the )?(?:new )?release\b/,
      /\b(?:un)?publish(?:es|ed|ing)?\b(?!(?:-| ?\/ ?| and )subscri| (?:an? |the |domain )?(?:events?|messages?)\b)|\byank(?:s|ed|ing)? (?:the |v?\d)/,
      /\bship(?:s|ping)? (?:it |this |them )?to (?:users|customers|everyone|everybody|the public)\b/,
      /\b(?:migrat\w+|alter\w*) (?:the )?(?:live|customers?|users?|shared)\b/,
      /\bmak(?:e|es|ing) (?:it |this |them |the [\w-]+ )?public\b|\bopen[- ]sourc(?:e|es|ing) (?:it|this|the)\b/,
    ),
  },
  {
    name: 'touches secrets',
    pattern: any(
      /\bsecrets?\b|\bcredentials?\b|\bpass(?:words?|phrases?|wd)\b|\bkeychain\b|\bid (?:rsa|ed25519)\b|(?:^|[\s/"'`(])\.env\b|\.(?:pem|p12|pfx)\b/,
      /\b(?:api|private|signing|access|encryption|ssh|gpg|deploy|license|service)[- ]?(?:account )?keys?\b/,
      /\b(?:access|auth|bearer|api|refresh|session|github|gitlab|npm|oauth|personal|deploy|login|bot)(?:[- ]\w+)?[- ]tokens?\b/,
      /\btokens?\b[^\n.]{0,60}\b(?:rotat|revok|commit|leak|expos|shar)|\b(?:rotat|revok|commit|leak|expos|shar)\w*\b[^\n.]{0,60}\btokens?\b/,
    ),
  },
  {
    name: 'moves money',
    pattern: any(
      /\b(?:pay|repay|prepay)(?:s|ing|ments?|outs?)?\b(?! (?:attention|off|back the debt|close|heed|the price))|\bpaid\b/,
      /(?<!\b(?:in|of) )\bcharg(?:e|es|ed|ing)\b|\brefund\w*|\bpurchas\w+|\binvoic\w+|\bbill(?:s|ed|ing)\b|\bdonat\w+|\breimburs\w+/,
      /\btransfer\w* (?:[\w-]+ ){0,3}(?:money|funds|balances?|ownership|payments?|credits?)\b|\bwir(?:e|es|ing) (?:the )?(?:money|funds)\b/,
      /[$€£¥]\s?\d|\b\d[\d.,]*\s?(?:usd|eur|gbp|dollars?|euros?|pounds)\b|\b(?:usd|eur|gbp)\s?\d/,
      /\b(?:paid|monthly|yearly|annual|new) subscriptions?\b|\bsubscri(?:be|bes|bing) to (?:a|the|their) (?:[\w-]+ )?(?:plan|tier|service)\b|\bupgrad\w+ (?:to )?(?:a|the|our|their) (?:[\w-]+ )?(?:plan|tier)\b/,
      /\bbuy(?:s|ing)?\b(?! (?:us|time|you|some time|in\b))|\bcredit cards?\b/,
    ),
  },
  {
    name: 'sends something to people',
    pattern: any(
      /\be-?mail(?:s|ed|ing)? (?:to|all|every|everyone|everybody|the|our|them|customers|users)\b|\bsend(?:s|ing)? (?:an? |the |out )?(?:[\w-]+ )?(?:e-?mails?|newsletters?|sms|text messages?|invitations?|announcements?)\b/,
      /\bnotif\w+ (?:all|every|everyone|everybody|customers|users|subscribers|the (?:team|customers?|users?|public))\b/,
      /\bpost(?:s|ing)? (?:it |this |them |an? \w+ |the \w+ )?(?:to|on) (?:slack|twitter|x|mastodon|linkedin|discord|the (?:forum|blog|mailing list))\b|\btweet\w*/,
    ),
  },
  {
    name: 'takes down a guard',
    pattern: any(
      /\bsudo\b|\bas root\b|\bchmod (?:-\w+ )?0?777\b|\b(?:curl|wget)\b[^\n]{0,200}\| ?(?:sudo )?(?:ba|z|da)?sh\b/,
      /\b(?:disabl|bypass|circumvent|switch off|turn off|skip)\w* (?:the |all |our )?(?:[\w-]+ )?(?:authentication|authori[sz]ation|sandbox|firewall|2fa|mfa|encryption|signature checks?|branch protection|certificate (?:checks?|validation)|tls verification|backups?)\b/,
      /--no-verify\b|--dangerously\b|\beval\b|\|\s*(?:python|perl|ruby|node|php)[\d.]*(?![\w/])|\bgrant\w* (?:[\w-]+ ){0,3}(?:admin|owner|root|write access)\b/,
    ),
  },
  {
    name: 'says so itself',
    pattern: any(
      /\birrevers\w+|\birrevocabl\w+|\bpermanent(?:ly)?\b|\bno way back\b|\bdata loss\b/,
      /\b(?:cannot|can ?not|can['’]t|could not|impossible to) (?:be )?(?:easily )?(?:undone|undo|reversed?|reverted?|rolled back|roll back|recovered?|restored?)\b/,
    ),
  },
]

/** The first danger these words speak of, however they are spelled; null for none. */
export const dangerIn = (...texts: readonly string[]): string | null => {
  const readings = texts.map(readingsOf)
  // Of most texts both readings are the same.
  const words = new Set([
    readings.map(({ prose }) => prose).join('\n'),
    readings.map(({ bare }) => bare).join('\n'),
  ])
  const danger = DANGERS.find(({ pattern }) => [...words].some((each) => pattern.test(each)))
  return danger?.name ?? (texts.some((text) => hiddenWordsIn(text) !== null) ? HIDES_WORDS : null)
}

/** What a rule cannot read, it takes for dangerous. */
const HIDES_WORDS = 'hides what it says'
