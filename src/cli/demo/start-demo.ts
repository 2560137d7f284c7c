/** The demo's run: laid out in a folder of its own and started on whatever host there is. */
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Operations, Unstarted } from '../../host/operations.ts'
import { layOut } from '../project/scratch-repository.ts'
import { FILES, ISSUE, RUNBOOK_FILE } from './project.ts'

export interface DemoPlace {
  readonly folder: string
  readonly repo: string
}

export async function layOutDemo(): Promise<DemoPlace> {
  const folder = await mkdtemp(join(tmpdir(), 'signalbox-demo-'))
  const repo = join(folder, 'platform-signs')
  await layOut(repo, { files: FILES, commit: 'signs: titles as addresses' })
  return { folder, repo }
}

export const startDemo = (
  operations: Pick<Operations, 'start'>,
  { repo }: DemoPlace,
): Promise<{ readonly run: string } | Unstarted> =>
  operations.start({ runbook: join(repo, RUNBOOK_FILE), dir: repo, base: null, issue: ISSUE, vars: {} })
