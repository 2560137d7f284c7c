import { describe, expect, it } from 'vitest'
import { StorageFailure } from '../../model/storage-failure.ts'
import { createManualClock } from './clock.fixture.ts'
import { createStorage, storageFailureIn, storageFailureOf } from './storage.ts'

const full = () =>
  Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC', path: '/home/x' })
const settled = () => new Promise((resolve) => setImmediate(resolve))

function openStorage() {
  const clock = createManualClock(1_000)
  const closing = new AbortController()
  const said: string[] = []
  const gone: string[] = []
  const home: { why: string | null } = { why: null }
  const storage = createStorage({
    clock,
    closing: closing.signal,
    whyGone: () => home.why,
    say: (sentence) => said.push(sentence),
    onGone: (sentence) => gone.push(sentence),
  })
  return { storage, clock, closing, said, gone, home }
}

describe('a disk that fails for a while', () => {
  it('[K9] is asked again with longer and longer pauses, and told of once when it begins and once when it is over', async () => {
    const { storage, clock, said } = openStorage()
    let tries = 0
    const written = storage.patiently(async () => {
      if (++tries < 8) throw full()
      return 'written'
    })
    const triedAt: number[] = []
    for (let at = 0; at < 20_000; at += 100) {
      await settled()
      if (triedAt.length < tries) triedAt.push(at)
      clock.advance(100)
    }
    expect(await written).toBe('written')
    expect(triedAt).toEqual([0, 100, 300, 700, 1_500, 3_100, 6_300, 11_300])
    expect(said).toEqual([
      'Nothing can be written to /home/x: its disk is full. Everything waits, and goes on by itself when there is room.',
      'What Signalbox keeps can be written again, after 11 s.',
    ])
  })

  it('[K9] is waited for no longer than whoever waits has time', async () => {
    const { storage, clock } = openStorage()
    const waited = storage.patiently(() => Promise.reject(full()), 1_000)
    const refused = expect(waited).rejects.toMatchObject({ code: 'cannot-write' })
    for (let at = 0; at < 1_500; at += 100) {
      await settled()
      clock.advance(100)
    }
    await refused
    expect(clock.alarms()).toBe(0)
  })

  it('keeps nobody from closing', async () => {
    const { storage, clock, closing } = openStorage()
    const waited = storage.patiently(() => Promise.reject(full()))
    const refused = expect(waited).rejects.toBeInstanceOf(StorageFailure)
    await settled()
    closing.abort()
    await refused
    expect(clock.alarms()).toBe(0)
  })

  it('never hides anything else that goes wrong', async () => {
    const { storage, said } = openStorage()
    await expect(storage.patiently(() => Promise.reject(new TypeError('oh')))).rejects.toThrow('oh')
    expect(storage.isToBlame(new TypeError('oh'))).toBe(false)
    expect(said).toEqual([])
  })

  it('[K9] a program that only says so is believed a few times, and then no longer', async () => {
    const { storage, clock } = openStorage()
    let tries = 0
    const waited = storage.patiently(() => {
      tries++
      return Promise.reject(storageFailureIn('git add failed: fatal: No space left on device')!)
    })
    const refused = expect(waited).rejects.toMatchObject({ isHearsay: true })
    for (let at = 0; at < 10_000; at += 100) {
      await settled()
      clock.advance(100)
    }
    await refused
    expect(tries).toBe(5)
    expect(storage.isToBlame(storageFailureIn('Read-only file system')!)).toBe(false)
  })
})

describe('what is said of it', () => {
  it('[K9] is one line, whoever chose the name of the file', async () => {
    const { storage, closing, said } = openStorage()
    closing.abort()
    const failure = Object.assign(full(), { path: '/home/\u001b[2Ja\u202e\n.txt' })
    await expect(storage.patiently(() => Promise.reject(failure))).rejects.toBeInstanceOf(StorageFailure)
    expect(said).toEqual([
      'Nothing can be written to /home/ [2Ja .txt: its disk is full. Everything waits, and goes on by itself when there is room.',
    ])
  })

  it('[K9] is nothing where only words speak of it, and nobody else is held to them', async () => {
    const { storage, clock, said } = openStorage()
    const words = 'fatal: No url found for submodule path ‘No space left on device’ in .gitmodules'
    const waited = storage.patiently(() => Promise.reject(storageFailureIn(words)!))
    const refused = expect(waited).rejects.toMatchObject({ message: words })
    for (let at = 0; at < 5_000; at += 100) {
      await settled()
      clock.advance(100)
    }
    await refused
    expect(storage.hasFailedLately()).toBe(false)
    expect(said).toEqual([])
  })

  it('[K9] counts for everybody for a while where the system itself said so', async () => {
    const { storage, clock } = openStorage()
    expect(storage.hasFailedLately()).toBe(false)
    storage.isToBlame(full())
    expect(storage.hasFailedLately()).toBe(true)
    clock.advance(60_000)
    expect(storage.hasFailedLately()).toBe(false)
  })

  it('[K9] is not that it is over while somebody is still let down', async () => {
    const { storage, clock, said } = openStorage()
    let isFull = true
    const large = storage.patiently(async () => {
      if (isFull) throw full()
    })
    await settled()
    await storage.patiently(async () => 'small')
    expect(said).toHaveLength(1)
    isFull = false
    clock.advance(2_000)
    await large
    expect(said).toEqual([expect.any(String), 'What Signalbox keeps can be written again, after 2 s.'])
    await storage.patiently(async () => 'small')
    expect(said).toHaveLength(2)
  })

  it('[K9] is that it is over once those who were let down have given up', async () => {
    const { storage, clock, said } = openStorage()
    const given = expect(storage.patiently(() => Promise.reject(full()), 50)).rejects.toThrow('disk is full')
    await given
    expect(clock.alarms()).toBe(0)
    await storage.patiently(async () => 'small')
    expect(said).toHaveLength(2)
  })
})

it.each([
  'The commit 25666e could not be checked out: error: unable to write file src/a.json',
  'fatal: unable to write new index file',
  'fatal: unable to write new_index file',
  'error: unable to write loose object file: Success',
])('[K9] git that cannot write does not always say why: %s', (words) => {
  expect(storageFailureIn(words)).toMatchObject({ code: 'cannot-write', isHearsay: true })
  expect(storageFailureIn(words.replace('write', 'read'))).toBeNull()
})

describe('a home that was taken away', () => {
  it('[K10] is not waited for, and told once', async () => {
    const { storage, said, gone } = openStorage()
    const taken = new StorageFailure('It was deleted.', { code: 'home-gone' })
    await expect(storage.patiently(() => Promise.reject(taken))).rejects.toBe(taken)
    expect(storage.isToBlame(taken)).toBe(true)
    expect(said).toEqual(['It was deleted.'])
    expect(gone).toEqual(['It was deleted.'])
  })

  it('[K10] is noticed by whoever asks', () => {
    const { storage, gone, home } = openStorage()
    expect(storage.whyGone()).toBeNull()
    home.why = 'It was moved.'
    expect(storage.whyGone()).toBe('It was moved.')
    expect(storage.whyGone()).toBe('It was moved.')
    expect(gone).toEqual(['It was moved.'])
  })
})

it.each([
  ['ENOSPC', 'its disk is full'],
  ['EDQUOT', 'the quota of its disk is used up'],
  ['EROFS', 'its disk can only be read'],
  ['EIO', 'its disk does not take it'],
])('%s is the disk’s', (code, why) => {
  expect(storageFailureOf(Object.assign(new Error(code), { code }))?.message).toBe(
    `Nothing can be written: ${why}.`,
  )
})

it.each(['ENOENT', 'EACCES', 'EEXIST'])('%s is not', (code) => {
  expect(storageFailureOf(Object.assign(new Error(code), { code }))).toBeNull()
})
