import { expect, it } from 'vitest'
import { brokenLinks, CHAIN_START, type ChainLink, chainHash, goneStream } from './chain.ts'
import { textDigest } from './erasure.ts'

it('has a rule that never changes', () => {
  const event = { stream: 'run/1', version: 1, type: 'began', at: 10, text: '{"n":1}' }
  expect(chainHash(CHAIN_START, event)).toBe(RULE)
})

it('covers every part of an event, and cannot be fooled by moving a border', () => {
  const event = { stream: 's', version: 1, type: 't', at: 1, text: '{}' }
  const others = [
    { ...event, stream: 'x' },
    { ...event, version: 2 },
    { ...event, type: 'x' },
    { ...event, at: 2 },
    { ...event, text: '{ }' },
    { ...event, version: 11, at: 1 },
    { ...event, version: 1, at: 11 },
    { ...event, type: 't 1:s', stream: '' },
  ]
  const hashes = others.map((other) => chainHash('', other))
  expect(new Set([chainHash('', event), chainHash('ff', event), ...hashes]).size).toBe(others.length + 2)
})

it('finds nothing in a whole chain', () => {
  expect(brokenLinks({ stream: 's', head: headOf(chain), links: chain })).toEqual([])
  expect(brokenLinks({ stream: 's', head: { version: 0, hash: CHAIN_START }, links: [] })).toEqual([])
})

it('[J12] still reads what an older Signalbox said of an event that it erased a part of', () => {
  const links = chain.map((link) => (link.version === 2 ? { ...link, text: '"[erased]"' } : link))
  const { stream, version, hash } = links[1]!
  const found = (now: string) =>
    brokenLinks({
      stream: 's',
      head: headOf(chain),
      links,
      edited: (at) => (at === 2 ? { stream, version, hash, now } : undefined),
    })
  expect(found(textDigest('"[erased]"'))).toEqual([])
  expect(found(textDigest('"another"'))).toMatchObject([{ version: 2 }])
})

it('[J13] holds a stream against more than fits into a call', () => {
  const known = new Map(Array.from({ length: 300_000 }, (_, index) => [index + 1, 'x'] as const))
  expect(brokenLinks({ stream: 's', head: headOf(chain), links: chain, known })).toHaveLength(2)
  expect(goneStream('s', known, { removed: () => undefined })).toHaveLength(1)
})

it('tells each break once', () => {
  const edited = chain.map((link) => (link.version === 2 || link.version === 5 ? { ...link, at: 9 } : link))
  expect(versions(edited)).toEqual([2, 5])
  expect(versions(chain.filter(({ version }) => version !== 1 && version !== 4))).toEqual([1, 4])
  expect(versions(chain.slice(0, 3))).toEqual([4])
  expect(versions([])).toEqual([1])
})

it('finds an event whose hash was made to fit, by the one after it or by the head', () => {
  const refit = (version: number) =>
    chain.map((link) => {
      if (link.version !== version) return link
      const changed = { ...link, text: '"changed"' }
      return { ...changed, hash: chainHash(chain[version - 2]!.hash, changed) }
    })
  expect(versions(refit(3))).toEqual([4])
  expect(versions(refit(5))).toEqual([5])
})

it('finds events after the end', () => {
  expect(brokenLinks({ stream: 's', head: headOf(chain.slice(0, 4)), links: chain })).toMatchObject([
    { version: 5 },
  ])
})

/** SHA-256 of ' 1 10 5:began 5:run/1 {"n":1}'. */
const RULE = '8fe02df45df0754648a9f28de3ff76c32f21b418b03252155c46c2a997a7e115'

const chain: readonly ChainLink[] = chainOf(5)

function chainOf(length: number): ChainLink[] {
  const links: ChainLink[] = []
  for (let version = 1; version <= length; version++) {
    const body = { stream: 's', version, type: 't', at: version, text: `${version}` }
    links.push({ position: version, ...body, hash: chainHash(links.at(-1)?.hash ?? CHAIN_START, body) })
  }
  return links
}

function headOf(links: readonly ChainLink[]): Pick<ChainLink, 'version' | 'hash'> {
  return links.at(-1)!
}

const versions = (links: readonly ChainLink[]): number[] =>
  brokenLinks({ stream: 's', head: headOf(chain), links }).map(({ version }) => version)
