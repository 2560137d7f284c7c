/** The records of the decisions that a run has raised so far. */
import type { DecisionRecord } from '../model/decision-record.ts'
import type { RunEvent } from '../model/event.ts'
import type { Program } from '../model/program.ts'
import type { Scene } from './given.fixture.ts'
import { EMPTY_BOOK, evolve, evolveBook, NEW_RUN, openedIn } from './index.ts'

export const recordsOf = (run: Scene) => bookOf(run.program, run.journal)

function bookOf(program: Program, events: readonly RunEvent[]): Readonly<Record<string, DecisionRecord>> {
  let state = NEW_RUN
  let book = EMPTY_BOOK
  for (const event of events) {
    state = evolve(state, event)
    const around = { stream: 'run/r1', repo: '/repo', world: () => undefined, askerAt: () => null }
    book = evolveBook(book, event, (question) => openedIn(program, state, { question, around }))
  }
  return book.records
}
