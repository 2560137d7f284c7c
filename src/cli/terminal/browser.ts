/** The user's browser, where there is one. */
import { spawn } from 'node:child_process'

export function openBrowser(url: string): void {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open'
  const child = spawn(opener, [url], { stdio: 'ignore', detached: true })
  child.once('error', () => {})
  child.unref()
}
