/** What is true of every journal, whatever it is kept in. */
import { afterEach, beforeEach, describe } from 'vitest'
import { appendContract } from './contract/append.fixture.ts'
import { chainContract } from './contract/chain.fixture.ts'
import { erasureContract } from './contract/erasure.fixture.ts'
import { readModelContract } from './contract/read-model.fixture.ts'
import type { Opened, Subject } from './contract/subject.fixture.ts'
import { ticketContract } from './contract/ticket.fixture.ts'

export function journalContract(name: string, open: () => Promise<Opened>): void {
  describe(`journal contract: ${name}`, () => {
    let opened: Opened
    const subject: Subject = {
      get opened() {
        return opened
      },
      get journal() {
        return opened.journal
      },
    }
    beforeEach(async () => {
      opened = await open()
    })
    afterEach(() => opened.dispose())
    appendContract(subject)
    ticketContract(subject)
    readModelContract(subject)
    chainContract(subject)
    erasureContract(subject)
  })
}
