import { EmptyState, Page } from '../ui/page.tsx'

export function RunScreen() {
  return (
    <Page title="Run">
      <EmptyState title="Not here yet">
        <p>The terminal has it: signalbox --help.</p>
      </EmptyState>
    </Page>
  )
}
