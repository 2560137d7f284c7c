/**
 * One transaction for everything asked for in one turn of the event loop: a commit waits for the disk, so fifty writers
 * that share it are hardly slower than one. Writers told of a commit ask again before the next turn, and so share the
 * next one too. What cannot be written fails alone; a commit that fails, fails for all that were in it.
 */
import type { StorageFailure } from '../../model/storage-failure.ts'
import type { Database } from './database.ts'

export interface GroupCommit {
  /** Does the work within the next transaction; resolves when it is durable. The work may be tried more than once. */
  submit<T>(work: () => T): Promise<T>
  /** Keeps everybody else waiting while something longer goes on. */
  alone<T>(work: () => Promise<T>): Promise<T>
  /** Writes what was asked for and takes nothing more. */
  close(): Promise<void>
}

export interface GroupCommitOptions {
  readonly db: Database
  readonly onCommit: () => void
  readonly onRollback: () => void
  /** Why what was just committed would not be found again; null where it would. Asked before anybody is told. */
  readonly whyLost: () => StorageFailure | null
  /** What went wrong in the file, as whoever asked should hear it. */
  readonly explain: (error: unknown) => unknown
}

interface Task {
  readonly work: () => unknown
  readonly resolve: (result: never) => void
  readonly reject: (error: unknown) => void
  result: unknown
}

type Trouble = { readonly stage: 'begin' | 'work' | 'commit'; readonly error: unknown }

export function createGroupCommit(options: GroupCommitOptions): GroupCommit {
  const { db, onCommit, onRollback } = options
  const begin = db.prepare('BEGIN IMMEDIATE')
  const commit = db.prepare('COMMIT')
  let queue: Task[] = []
  let isScheduled = false
  let isClosed = false
  let turn: Promise<unknown> | null = null
  let lost: StorageFailure | null = null

  function schedule(): void {
    if (isScheduled || turn !== null || queue.length === 0) return
    isScheduled = true
    setImmediate(flush)
  }

  function flush(): void {
    isScheduled = false
    if (turn !== null || queue.length === 0) return
    const tasks = queue
    queue = []
    const trouble = transact(tasks)
    if (trouble === null) return
    if (trouble.stage !== 'work' || tasks.length === 1) {
      for (const task of tasks) task.reject(trouble.error)
      return
    }
    for (const task of tasks) {
      const own = transact([task])
      if (own !== null) task.reject(own.error)
    }
  }

  function transact(tasks: readonly Task[]): Trouble | null {
    let stage: Trouble['stage'] = 'begin'
    try {
      begin.run()
      stage = 'work'
      for (const task of tasks) task.result = task.work()
      stage = 'commit'
      commit.run()
      lost = options.whyLost()
      if (lost !== null) throw lost
    } catch (error) {
      undo()
      return { stage, error: options.explain(error) }
    }
    for (const task of tasks) task.resolve(task.result as never)
    onCommit()
    return null
  }

  function undo(): void {
    try {
      if (db.isTransaction) db.exec('ROLLBACK')
    } catch {
      // The first error is the one to tell; if the file stays unusable, the next transaction says so.
    }
    onRollback()
  }

  return {
    submit(work) {
      if (isClosed) return Promise.reject(new Error('The journal is closed.'))
      if (lost !== null) return Promise.reject(lost)
      return new Promise((resolve, reject) => {
        queue.push({ work, resolve, reject, result: undefined })
        schedule()
      })
    },
    async alone(work) {
      while (turn !== null) await turn.catch(() => undefined)
      if (isClosed) throw new Error('The journal is closed.')
      const going = work()
      turn = going
      try {
        return await going
      } finally {
        turn = null
        schedule()
      }
    },
    async close() {
      isClosed = true
      while (turn !== null) await turn.catch(() => undefined)
      flush()
    },
  }
}
