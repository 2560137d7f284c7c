/**
 * What a process may touch. Nothing else of the machine is there for it: the host says what it gets, an engine makes it
 * so. Of two that speak of a place, the one with the longer path has the word; on one path `hidden` before `shown`
 * before `writable` before `readable`.
 */
import type { RefusedConnection } from './hosts.ts'
import type { LoopbackProxy } from './loopback-proxy.ts'

export interface Sandbox {
  readonly engine: SandboxEngine
  /** May be read, beside the folders of the system, and whole. */
  readonly readable: readonly string[]
  /** What programs are made of: may be read but for credentials that lie there, see credential-files.ts. */
  readonly programs: readonly string[]
  readonly writable: readonly string[]
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
  readonly onRefused?: (refused: RefusedConnection) => void
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
}

export type Access = 'read' | 'write'

export type SandboxNetwork =
  /**
   * The machine's own, and its abstract Unix sockets with it. To keep from those, a Unix socket can be made and reached by
   * its path only, and by programs that give the longest length for it (Node, most of C); others must have a network of
   * their own, or declare the socket.
   */
  | { readonly kind: 'on' }
  /** One of its own, from which a proxy leads to the hosts. Programs are told of the proxy by the usual variables. */
  | {
      readonly kind: 'limited'
      /** `example.com`, `*.example.com`, `example.com:8443`, `10.0.0.5`, or `*` for every public one. */
      readonly hosts: readonly string[]
      /** Of this machine's own: they lead to the same port of its loopback address. */
      readonly ports: readonly number[]
    }

/** Null: no limit. */
export interface SandboxLimits {
  readonly processes: number | null
  readonly openFiles: number | null
  /** Of all its processes together. */
  readonly memoryBytes: number | null
  /** Of a single file. */
  readonly fileBytes: number | null
  /** Of each place that is kept in memory and forgotten afterwards: /tmp, /dev/shm, an empty home. Needs bubblewrap 0.8. */
  readonly temporaryBytes: number | null
}

export const NO_LIMITS: SandboxLimits = {
  processes: null,
  openFiles: null,
  memoryBytes: null,
  fileBytes: null,
  temporaryBytes: null,
}

const NO_NETWORK: SandboxNetwork = { kind: 'limited', hosts: [], ports: [] }

export type SandboxEngine =
  | { readonly kind: 'bubblewrap'; readonly program: string }
  /** It cannot give a network of its own: what may leave goes through a proxy on the machine's. */
  | { readonly kind: 'seatbelt'; readonly program: string; readonly proxy: LoopbackProxy }

/** Seatbelt judges paths and moves none. */
export const canShowElsewhere = ({ kind }: SandboxEngine): boolean => kind === 'bubblewrap'

/** Nothing but the system, to be added to. */
export const emptySandbox = (engine: SandboxEngine): Sandbox => ({
  engine,
  readable: [],
  programs: [],
  writable: [],
  shown: [],
  hidden: [],
  home: null,
  sockets: [],
  network: NO_NETWORK,
  limits: NO_LIMITS,
  rootAs: 'ordinary',
})
