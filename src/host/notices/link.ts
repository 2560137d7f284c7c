/** Links in what is told: whole addresses, which only a POST makes decide. Pure. */

/** The page's address with an option picked; it is for a POST. */
export function picking(link: string, key: string): string {
  const url = new URL(link)
  url.searchParams.set('pick', key)
  return url.href
}

/** Whether it means a different machine on each machine. */
export function isLocal(link: string): boolean {
  const { hostname } = new URL(link)
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.')
}
