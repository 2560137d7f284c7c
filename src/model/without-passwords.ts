/**
 * A value of a setting or a variable without the credentials in it: what stands before the `@` of an address, and what
 * follows a telling name. Any value can hold an address, so this is applied to all of them and never by a name.
 */
export const withoutPasswords = (value: string): string =>
  withoutAddressPasswords(value).replace(HEADER, '$1:').replace(ASSIGNED, '$1=')

export const hasPassword = (value: string): boolean => withoutPasswords(value) !== value

/** An authority ends at the first slash. A password with a slash in it makes an address that no program accepts, and is one all the same. */
const ADDRESS = /([a-z][a-z0-9+.-]{0,31}:\/\/)([^\s/?#]*@|[^\s/?#@:[\]]*:(?!\d*(?:[\s/?#,|]|$))[^\s@]*@)/gi

/** Programs take a proxy without a scheme. Only a whole value is read so: `bin:/opt/node@20/bin` is a search path. */
const WITHOUT_SCHEME = /^(?!mailto:|[a-z]:\\)[^\s/:@]+:[^\s/@]+@(?=[\w.[-])/i

/** For texts. A token may be given as a user alone; where the user is part of the address, ssh, nothing else gets in with it. */
export function withoutAddressPasswords(value: string): string {
  // The pattern tries a scheme at every letter, which is slow in a certificate or any other long text.
  if (!value.includes('://')) return value.replace(WITHOUT_SCHEME, '')
  return value
    .replace(ADDRESS, (_, scheme: string, before: string) => {
      const isSsh = /^(?:[a-z]+\+)?ssh/i.test(scheme)
      return isSsh ? `${scheme}${before.replace(/[:@].*$/s, '')}@` : scheme
    })
    .replace(WITHOUT_SCHEME, '')
}

const HEADER = /\b((?:proxy-)?authorization|cookie|(?:[a-z]+-){0,3}(?:token|api-key))[ \t]*:[ \t]*[^\r\n]+/gi
const ASSIGNED =
  /((?:token|secret|passw(?:or)?d|passphrase|(?:api|access)[-_]?key|credential|signature|\bsig)[\w-]{0,64})=(?!\$)(?:"[^"]*"|'[^']*'|[^\s&;,|"']+)/gi
