/** A command about issues, used in a folder, and what it printed. */
import { Readable } from 'node:stream'
import { readEnvironment } from '../environment.ts'
import { openPaper } from '../terminal/terminal.fixture.ts'
import type { IssueSetting } from './setting.ts'

export const FILES = {
  '.signalbox/issues/1.md': '---\ntitle: First\nstatus: Done\n---\nDo it.\n',
  '.signalbox/issues/2.md':
    '---\ntitle: The second one\nstatus: Doing\ndepends-on: [1]\nparent: 1\nlabels: [ui, small]\n---\n\n# What\n\nAll\u001B[2J of it.\n',
  '.signalbox/issues/10.md': '---\ntitle: Tenth\ndepends-on: [1, 2, 99]\n---\n',
}

export interface IssueCommandRan {
  readonly code: number
  readonly out: string
  readonly err: string
}

export async function at(
  dir: string,
  act: (setting: IssueSetting) => Promise<number>,
  { env = {}, input = '' }: { env?: NodeJS.ProcessEnv; input?: string } = {},
): Promise<IssueCommandRan> {
  const paper = openPaper()
  const environment = readEnvironment({ HOME: '/nowhere', USER: 'nobody', ...env })
  const code = await act({ terminal: paper.terminal, dir, environment, input: Readable.from([input]) })
  return { code, out: paper.out(), err: paper.err() }
}
