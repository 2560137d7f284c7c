/** What there is to do where nothing waits. */
import { EmptyState } from '../ui/page.tsx'

export function NothingWaits() {
  return (
    <EmptyState title="Nothing waits for you">
      <p>What is asked comes here by itself, and the title of this page tells how much there is.</p>
    </EmptyState>
  )
}

export function FirstVisit() {
  return (
    <EmptyState title="Welcome to the signal box">
      <p>
        Runs take a task through agents, checks and people. When one of them needs you, its question comes
        here. Start one in a repository:
      </p>
      <p>
        <code>signalbox init</code>, then <code>signalbox run</code>
      </p>
    </EmptyState>
  )
}
