import { EmptyState, Page } from '../ui/page.tsx'

export function BoardScreen() {
  return (
    <Page title="Board">
      <EmptyState title="Not here yet">
        <p>The terminal has it: signalbox --help.</p>
      </EmptyState>
    </Page>
  )
}
