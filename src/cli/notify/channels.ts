/** The channels of the config with everything they need from this machine: secrets, a screen. */
import { createHash } from 'node:crypto'
import { findProgram } from '../../host/machine/find-program.ts'
import type { Channel } from '../../host/notices/channel.ts'
import { parseSecrets } from '../../host/notices/webhook.ts'
import type { Environment } from '../environment.ts'
import { readBytes } from '../files.ts'
import type { NotifyEntry, SecretPlace } from './notify-entry.ts'

export interface OpenedChannel {
  /** From what it is; tells nothing of an address or a secret. */
  readonly id: string
  /** For people; no address and no secret is in it. */
  readonly name: string
  readonly channel: Channel | { readonly problem: string }
}

export function openChannels(
  entries: readonly NotifyEntry[],
  environment: Pick<Environment, 'searchPath' | 'variables'>,
  platform: NodeJS.Platform = process.platform,
): readonly OpenedChannel[] {
  const ids = new Map<string, number>()
  return entries.map((entry) => {
    const { kind, url, audience, leastUrgency, events: kinds, full, quiet } = entry
    const digest = createHash('sha256')
      .update(JSON.stringify([kind, url, audience]))
      .digest('hex')
    const same = ids.get(digest) ?? 0
    ids.set(digest, same + 1)
    const id = `${digest.slice(0, 12)}${same === 0 ? '' : `.${same}`}`
    const name = nameOf(entry)
    const wishes = { id, name, audience, leastUrgency, kinds, full, quiet }
    const means = meansOf(entry, { environment, platform })
    return { id, name, channel: 'problem' in means ? means : { ...wishes, ...means } }
  })
}

/** Those that work. */
export const workingChannels = (opened: readonly OpenedChannel[]): readonly Channel[] =>
  opened.flatMap(({ channel }) => ('problem' in channel ? [] : [channel]))

/** What agents are not given, though it lies in the environment of their host. */
export function withoutSecrets(
  variables: Environment['variables'],
  entries: readonly NotifyEntry[],
): Environment['variables'] {
  const secret = new Set(
    entries.flatMap(({ secret: place }) => (place !== null && 'env' in place ? [place.env] : [])),
  )
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !secret.has(name)))
}

function nameOf({ kind, url, audience }: NotifyEntry): string {
  const place = kind === 'desktop' ? 'desktop' : `${kind} at ${new URL(url).host}`
  return audience === null ? place : `${place} for ${audience}`
}

type Means = Channel extends infer Each ? (Each extends Channel ? Pick<Each, Own<Each>> : never) : never
type Own<Each> = Exclude<keyof Each, 'id' | 'name' | 'audience' | 'leastUrgency' | 'kinds' | 'full' | 'quiet'>

interface Place {
  readonly environment: Pick<Environment, 'searchPath' | 'variables'>
  readonly platform: NodeJS.Platform
}

function meansOf(
  { kind, url, secret }: NotifyEntry,
  { environment, platform }: Place,
): Means | { readonly problem: string } {
  const found = secret === null ? '' : secretAt(secret, environment.variables)
  if (typeof found === 'object') return found
  switch (kind) {
    case 'desktop':
      return screenOf(environment, platform)
    case 'webhook': {
      const secrets = parseSecrets(found)
      const problem = `its secret should be whsec_ and 24 to 64 bytes in base64. To make one: echo "whsec_$(openssl rand -base64 32)"`
      return secrets === null ? { problem } : { kind, url, secrets }
    }
    case 'ntfy': {
      const { origin, pathname } = new URL(url)
      return { kind, server: `${origin}/`, topic: pathname.slice(1), token: found === '' ? null : found }
    }
    case 'slack':
      return { kind, url }
  }
}

function screenOf(
  { searchPath, variables }: Place['environment'],
  platform: NodeJS.Platform,
): Extract<Means, { kind: 'desktop' }> | { readonly problem: string } {
  const program = platform === 'darwin' ? 'osascript' : 'notify-send'
  const hasScreen =
    platform === 'darwin' || (variables['DISPLAY'] || variables['WAYLAND_DISPLAY'] || '') !== ''
  if (!hasScreen) return { problem: 'there is no screen here (neither DISPLAY nor WAYLAND_DISPLAY is set)' }
  const path = findProgram(program, searchPath)
  return path === null ? { problem: `${program} is not installed` } : { kind: 'desktop', program, path }
}

function secretAt(
  place: SecretPlace,
  variables: Environment['variables'],
): string | { readonly problem: string } {
  if ('env' in place) {
    const value = variables[place.env]?.trim() ?? ''
    return value === '' ? { problem: `the variable ${place.env} is not set` } : value
  }
  const read = readBytes(place.file)
  if (read.kind === 'unreadable') return { problem: `${place.file} ${read.why}` }
  const text = new TextDecoder().decode(read.bytes).trim()
  return text === '' ? { problem: `${place.file} is empty` } : text
}
