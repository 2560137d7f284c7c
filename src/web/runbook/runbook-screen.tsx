/** A runbook as its latest run took it: its steps, what is proved of it, where every outcome leads, and its text. Proved here, by the same function as `check`. */
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { RunRow } from '../../model/api/runs.ts'
import type { Program } from '../../model/program.ts'
import { certify } from '../../runbook/proof/certificate.ts'
import { useProgram } from '../live/kept.ts'
import { useAskedOnce, useLive, useRuns } from '../live/live.tsx'
import { valueIn } from '../live/loaded.ts'
import { EmptyState, Page, ProblemState } from '../ui/page.tsx'
import { SafeText } from '../ui/safe-text.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { CertificateFacts } from './certificate-facts.tsx'
import type { RunbookPlace } from './place.ts'
import { RoutingMatrix } from './routing-matrix.tsx'
import styles from './runbook-screen.module.css'
import { RunbookTextPart } from './runbook-text.tsx'
import { StepTable } from './step-table.tsx'

export function RunbookScreen() {
  const { name } = useParams({ strict: false })
  const runs = useRuns()
  if (runs.kind === 'problem') return <ProblemState problem={runs.problem.problem} />
  if (runs.kind === 'loading')
    return (
      <Page title="Runbooks">
        <Skeleton height={240} />
      </Page>
    )
  if (name === undefined) return <RunbookList rows={runs.value} />
  const latest = runs.value.find((row) => row.name === name)
  if (latest === undefined)
    return (
      <Page title={name}>
        <EmptyState title="No run of this runbook is known">
          <p>
            <code>signalbox check {name}</code> proves it in the terminal.
          </p>
        </EmptyState>
      </Page>
    )
  return <Runbook row={latest} />
}

function RunbookList({ rows }: { readonly rows: readonly RunRow[] }) {
  const latest = [...new Map([...rows].reverse().map((row) => [row.name, row])).values()].reverse()
  return (
    <Page title="Runbooks" under="Those that runs were made of.">
      {latest.length === 0 ? (
        <EmptyState title="No runs yet">
          <p>
            <code>signalbox init</code> writes a first runbook into a repository, <code>signalbox run</code>{' '}
            starts it.
          </p>
        </EmptyState>
      ) : (
        <ul className={styles.list}>
          {latest.map((row) => (
            <li key={row.name}>
              <Link to="/runbooks/$name" params={{ name: row.name }} className={styles.row}>
                <SafeText text={row.name} />
                <span className={styles.file}>
                  <SafeText text={fileText(row)} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Page>
  )
}

function Runbook({ row }: { readonly row: RunRow }) {
  const program = useProgram(row.program)
  return (
    <Page title={row.name} under={<SafeText text={fileText(row)} />}>
      {program === null ? <Skeleton height={240} /> : <Proved row={row} program={program} />}
    </Page>
  )
}

function Proved({ row, program }: { readonly row: RunRow; readonly program: Program }) {
  const { ask } = useLive()
  const { run } = row
  const certificate = useMemo(() => certify(program), [program])
  const text = useAskedOnce(`runbook ${run}`, () =>
    ask('GET /api/v1/runs/{run}/runbook', { params: { run } }),
  )
  const place: RunbookPlace = useSearch({ strict: false })
  return (
    <div className={styles.parts}>
      <CertificateFacts certificate={certificate} />
      <StepTable program={program} certificate={certificate} />
      <RoutingMatrix matrix={certificate.matrix} text={valueIn(text)?.text ?? null} />
      <RunbookTextPart text={text} line={place.line ?? null} />
    </div>
  )
}

/** As whoever stands in the repository would write it. */
const fileText = ({ runbook, repo }: RunRow): string =>
  runbook.startsWith(`${repo}/`) ? `${runbook.slice(repo.length + 1)} in ${repo.split('/').at(-1)}` : runbook
