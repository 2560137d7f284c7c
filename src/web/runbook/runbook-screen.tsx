import { EmptyState, Page } from '../ui/page.tsx'

export function RunbookScreen() {
  return (
    <Page title="Runbook">
      <EmptyState title="Not here yet">
        <p>The terminal has it: signalbox --help.</p>
      </EmptyState>
    </Page>
  )
}
