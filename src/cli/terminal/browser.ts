/** The user's browser, where there is one. It is led to the link by a page of the home, which other users of the machine cannot read. */
import { spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { loginPageName } from '../../host/machine/login-page.ts'

/** `pages`: of the home. The host removes the page when the link is used. */
export function openBrowser(link: string, pages: string): void {
  const page = join(pages, loginPageName(link))
  mkdirSync(pages, { recursive: true, mode: 0o700 })
  writeFileSync(page, pageTo(link), { mode: 0o600 })
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(opener, [pathToFileURL(page).href], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}

function pageTo(link: string): string {
  const href = link.replaceAll('&', '&amp;').replaceAll('"', '&quot;')
  return `<!doctype html>
<meta charset="utf-8">
<meta name="referrer" content="no-referrer">
<meta http-equiv="refresh" content="0; url=${href}">
<title>Signalbox</title>
<a href="${href}">Sign in to Signalbox</a>
`
}
