/** What is in force here, and what is wrong: what `signalbox agents`, `notify`, `people`, `policy` and `doctor` print. */
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useActions } from '../action/actions.tsx'
import { useMe } from '../live/live.tsx'
import { EmptyState, Page } from '../ui/page.tsx'
import { AgentsSection } from './agents-section.tsx'
import { ChannelsSection } from './channels-section.tsx'
import { DoctorSection, SandboxSection } from './findings-section.tsx'
import { PeopleSection } from './people-section.tsx'
import { PoliciesSection } from './policies-section.tsx'
import { type SectionEntry, type SettingsSection, sectionsFor } from './section.ts'
import styles from './settings-screen.module.css'

export function SettingsScreen() {
  const me = useMe()
  const { section } = useParams({ strict: false })
  const sections = useMemo(() => sectionsFor(me), [me])
  const found = section === undefined ? sections[0] : sections.find(({ id }) => id === section)
  useSectionKeys(sections)
  return (
    <Page title="Settings" under={<Under isOwner={me.isOwner} version={me.host.version} />}>
      <nav className={styles.sections} aria-label="Settings">
        {sections.map(({ id, label }) => (
          <Link
            key={id}
            to="/settings/$section"
            params={{ section: id }}
            className={styles.section}
            aria-current={id === found?.id ? 'page' : undefined}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className={styles.body}>{found === undefined ? <NotYours /> : <Section id={found.id} />}</div>
    </Page>
  )
}

function Under({ isOwner, version }: { readonly isOwner: boolean; readonly version: string }) {
  return (
    <>
      Signalbox {version}.{' '}
      {isOwner
        ? 'What is said here stands in your config; it is changed there.'
        : 'Agents, channels and the sandbox are shown to whoever owns this host.'}
    </>
  )
}

function Section({ id }: { readonly id: SettingsSection }) {
  switch (id) {
    case 'agents':
      return <AgentsSection />
    case 'channels':
      return <ChannelsSection />
    case 'people':
      return <PeopleSection />
    case 'policies':
      return <PoliciesSection />
    case 'sandbox':
      return <SandboxSection />
    case 'doctor':
      return <DoctorSection />
  }
}

const NotYours = () => (
  <EmptyState title="There is nothing to see for you here">
    <p>
      Either there is no such part of the settings, or it is for whoever owns this host: what it shows runs
      programs on their machine.
    </p>
  </EmptyState>
)

function useSectionKeys(sections: readonly SectionEntry[]): void {
  const navigate = useNavigate()
  useActions(
    useMemo(
      () =>
        sections.map(({ id, label }, index) => ({
          id: `settings.${id}`,
          label: `Settings: ${label}`,
          group: 'Settings',
          keys: [`${index + 1}`],
          run: () => void navigate({ to: '/settings/$section', params: { section: id } }),
        })),
      [sections, navigate],
    ),
  )
}
