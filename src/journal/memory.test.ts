import { journalContract } from './contract.fixture.ts'
import { createMemoryJournal } from './memory.ts'

journalContract('memory', async () => {
  const journal = createMemoryJournal()
  return { journal, reopen: async () => journal, dispose: () => journal.close(), tamper: null }
})
