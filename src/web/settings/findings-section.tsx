/** What holds the processes of runs, and what the doctor finds: a line each, what is wrong first. */
import type { HostFinding } from '../../model/api/settings.ts'
import { useLive } from '../live/live.tsx'
import { StatusShape } from '../ui/status.tsx'
import { AskedSection } from './asked-section.tsx'
import { Sentence } from './sentence.tsx'
import { byState, findingSign, findingsText } from './settings.view.ts'
import styles from './settings-screen.module.css'
import { useAsked } from './use-asked.ts'

export function SandboxSection() {
  const { ask, me } = useLive()
  const asked = useAsked<readonly HostFinding[]>('settings sandbox', () =>
    ask('GET /api/v1/settings/sandbox', {}),
  )
  return (
    <AskedSection
      label="Sandbox"
      asked={asked}
      says={() =>
        me.host.unconfined === null ? (
          'What the agents and commands of a run may see and reach. A project can tighten it, and never loosen it.'
        ) : (
          <Sentence text={`Nothing holds the agents of runs. ${me.host.unconfined}`} />
        )
      }
      meanwhile="Trying the sandbox …"
    >
      {(findings) => <FindingList findings={findings} />}
    </AskedSection>
  )
}

export function DoctorSection() {
  const { ask } = useLive()
  const asked = useAsked<readonly HostFinding[]>('settings doctor', () =>
    ask('GET /api/v1/settings/doctor', {}),
  )
  return (
    <AskedSection
      label="Doctor"
      asked={asked}
      says={findingsText}
      meanwhile="Reading the whole record and holding it against its hashes. Runs go on meanwhile …"
    >
      {(findings) => <FindingList findings={byState(findings)} />}
    </AskedSection>
  )
}

function FindingList({ findings }: { readonly findings: readonly HostFinding[] }) {
  return (
    <ul className={styles.rows}>
      {findings.map((finding) => (
        <li key={`${finding.about} ${finding.text}`} className={styles.finding}>
          <StatusShape {...findingSign(finding)} />
          <span className={styles.subject}>{finding.about}</span>
          <span>
            <Sentence text={finding.text} />
          </span>
        </li>
      ))}
    </ul>
  )
}
