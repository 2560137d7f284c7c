/**
 * What a process may touch. Nothing else of the machine is there for it: the host says what it gets, an engine makes it
 * so. Of two that speak of a place, the one with the longer path has the word; on one path `hidden` before `shown`
 * before `writable` before `readable`.
 */
import type { ControlGroups } from './control-group.ts'
import type { RefusedConnection } from './hosts.ts'
import type { LoopbackProxy } from './loopback-proxy.ts'
import type { Upstream } from './upstream.ts'

export interface Sandbox {
  readonly engine: SandboxEngine
  /** What of the system may be read: all that programs need, or only the libraries and the shell that any needs to start. */
  readonly system: 'whole' | 'libraries'
  /** May be read, beside the folders of the system, and whole. */
  readonly readable: readonly string[]
  /** What programs are made of: may be read but for credentials that lie there, see credential-files.ts. */
  readonly programs: readonly string[]
  readonly writable: readonly string[]
  /** Folders among `readable` in which no Unix socket answers, whenever it is bound. Only where the engine can. */
  readonly silent: readonly string[]
  /** Shown at another place than their own. Only where the engine can: see `canShowElsewhere`. */
  readonly shown: readonly ShownPlace[]
  /** Out of sight, though something around them is shown. */
  readonly hidden: readonly string[]
  /**
   * Stands in for the user's home folder, and can be written to; without `from` it is an empty one that is forgotten
   * afterwards. What is granted inside the real one shows through at its place.
   */
  readonly home: { readonly at: string; readonly from: string | null } | null
  /** Unix sockets of this machine that may be spoken to. Only their files are shown. */
  readonly sockets: readonly string[]
  readonly network: SandboxNetwork
  /** Told of every connection that was refused: whoever declared the hosts will want to know. */
  readonly onRefused?: ((refused: RefusedConnection) => void) | undefined
  readonly limits: SandboxLimits
  /**
   * Whom it takes itself for where the host is root: an ordinary user, as most programs want it, or still root, without
   * any of its power. Git's index knows files by their owner, and would read them all again.
   */
  readonly rootAs: 'ordinary' | 'root'
}

export interface ShownPlace {
  readonly from: string
  readonly at: string
  readonly access: Access
  /** It lies in the home that stands in for the user's, so the user's own links there lead nowhere. Then `at` is a real path. */
  readonly isInHome?: true
}

export type Access = 'read' | 'write'

/**
 * A network of its own, with a loopback of its own, that leads to what is listed: hosts, and ports of this machine. No Unix
 * socket of this machine has an abstract name in there.
 */
export interface SandboxNetwork {
  /** `example.com`, `*.example.com`, `example.com:8443`, `10.0.0.5`, or `*` for every one but this machine. */
  readonly hosts: readonly string[]
  /** They lead to the same port of this machine's loopback address. */
  readonly ports: readonly number[]
  /** The proxy through which this machine reaches the world. */
  readonly upstream?: Upstream | null
}

/** Null: no limit. */
export interface SandboxLimits {
  readonly processes: number | null
  readonly openFiles: number | null
  /** Of all its processes together. */
  readonly memoryBytes: number | null
  /** Of a single file. */
  readonly fileBytes: number | null
  /** Of each place that is kept in memory and forgotten afterwards: /tmp, /dev/shm, an empty home. */
  readonly temporaryBytes: number | null
}

export const NO_LIMITS: SandboxLimits = {
  processes: null,
  openFiles: null,
  memoryBytes: null,
  fileBytes: null,
  temporaryBytes: null,
}

const NO_NETWORK: SandboxNetwork = { hosts: [], ports: [] }

/** What `network: on` is. */
export const WORLD = '*'

export type SandboxEngine =
  | {
      readonly kind: 'bubblewrap'
      readonly program: string
      /** Without it programs have to know of a proxy to find the way out. */
      readonly perl: string | null
      /** What holds limits on a sandbox as a whole; null: we add up what its processes use. */
      readonly groups: ControlGroups | null
      /** Whether it can limit places that are kept in memory: since bubblewrap 0.7. */
      readonly limitsTemporary: boolean
    }
  /** It cannot give a network of its own: what may leave goes through a proxy on the machine's. */
  | { readonly kind: 'seatbelt'; readonly program: string; readonly proxy: LoopbackProxy }

/** Seatbelt judges paths and moves none. */
export const canShowElsewhere = ({ kind }: SandboxEngine): boolean => kind === 'bubblewrap'

/** Nothing but the system, to be added to. */
export const emptySandbox = (engine: SandboxEngine): Sandbox => ({
  engine,
  system: 'whole',
  readable: [],
  programs: [],
  writable: [],
  silent: [],
  shown: [],
  hidden: [],
  home: null,
  sockets: [],
  network: NO_NETWORK,
  limits: NO_LIMITS,
  rootAs: 'ordinary',
})
