/**
 * A page of the docs as a terminal: its commands run one after the other in one shell, and what they print held against what
 * stands there. What differs each time (ids, commits, times, folders) is masked on both sides.
 */
import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { userInfo } from 'node:os'

export interface Exchange {
  readonly command: string
  readonly printed: string
}

/** The exchanges of a page's `console` blocks: `$ ` begins a command, `> ` goes on with it, all else was printed. */
export function exchangesIn(page: string): Exchange[] {
  const exchanges: { command: string; printed: string }[] = []
  const blocks = [...readFileSync(page, 'utf8').matchAll(/^```console\n([\s\S]*?)^```$/gm)]
  for (const line of blocks.flatMap(([, text]) => text!.replace(/\n$/, '').split('\n'))) {
    const last = exchanges.at(-1)
    if (line.startsWith('$ ')) exchanges.push({ command: line.slice(2), printed: '' })
    else if (last !== undefined && /^>(?: |$)/.test(line)) last.command += `\n${line.slice(2)}`
    else if (last !== undefined) last.printed += `${line}\n`
  }
  return exchanges
}

export interface Shell {
  /** What the command prints, on either stream. */
  run(command: string): Promise<string>
  close(): void
}

const END = '\u001E'

export function openShell({ cwd, env }: { readonly cwd: string; readonly env: NodeJS.ProcessEnv }): Shell {
  const child = spawn('bash', ['--norc'], { cwd, env, stdio: ['pipe', 'pipe', 'inherit'] })
  child.stdin.write('exec 2>&1\n')
  let said = ''
  let heard = (): void => {}
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
    heard()
  })
  child.once('close', () => heard())
  return {
    run: async (command) => {
      child.stdin.write(`{ ${command}\n} </dev/null\nprintf '${END}'\n`)
      while (!said.includes(END)) {
        if (child.exitCode !== null) throw new Error(`the shell has ended: ${said}`)
        await new Promise<void>((resolve) => {
          heard = resolve
        })
      }
      const [printed = '', rest = ''] = said.split(END)
      said = rest
      return printed
    },
    close: () => {
      child.stdin.end()
    },
  }
}

/** What stands in for whatever differs each time. */
export const masked = (text: string, home: string): string =>
  text
    .replaceAll(home, '~')
    .replaceAll(`✓ ${userInfo().username} answered`, '✓ ada answered')
    .replaceAll(` by ${userInfo().username} (`, ' by ada (')
    .replaceAll(/\b[0-9a-f]{7,40}\b/g, 'COMMIT')
    .replaceAll(/\b\d+(?:\.\d+)? (?:ms|s)\b|\b\d+ m \d\d s\b|\bwaits \d+s\b/g, 'TIME')
    .replaceAll(/[ \t]+/g, ' ')
    // Where there is no sandbox that is told, too.
    .replaceAll(/^.*Agents and commands of runs work with your rights\.\n/gm, '')
    .replaceAll(/, and no sandbox holds it/g, '')
    .replaceAll(/^ *(?:Its agents were not held|held by|sandbox).*\n/gm, '')
    .replaceAll(/[ \t]+$/gm, '')
    .trim()
