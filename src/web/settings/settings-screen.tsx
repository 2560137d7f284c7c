import { EmptyState, Page } from '../ui/page.tsx'

export function SettingsScreen() {
  return (
    <Page title="Settings">
      <EmptyState title="Not here yet">
        <p>The terminal has it: signalbox --help.</p>
      </EmptyState>
    </Page>
  )
}
