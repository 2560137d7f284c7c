/**
 * The half of a session that only pages of this very origin have: its key stays in the storage of the origin and is never sent. What is sent
 * proves it to one host process. A program at another port of this machine gets the cookie and not the key; one that listens at this port
 * after the host gets a proof that the next host does not take.
 */
import { INSTANCE_HEADER, PROOF_HEADER } from '../../model/api/session-proof.ts'

export interface PageKey {
  readonly pageKey: string
  /** The host process that was last spoken to. */
  readonly instance: string
}

const PLACE = 'signalbox.page-key'

export const keepPageKey = (key: PageKey): void => localStorage.setItem(PLACE, JSON.stringify(key))
export const dropPageKey = (): void => localStorage.removeItem(PLACE)

/** Like `fetch`, with the proof; once more where another host process answers than before. */
export async function fetchAsPage(path: string, init: RequestInit = {}): Promise<Response> {
  const key = pageKeyKept()
  const response = await fetch(path, await withProof(init, key))
  const instance = response.headers.get(INSTANCE_HEADER)
  if (response.status !== 401 || key === null || instance === null || instance === key.instance)
    return response
  const renewed = { ...key, instance }
  keepPageKey(renewed)
  return fetch(path, await withProof(init, renewed))
}

/** Whoever is not signed in says so with the same header: it shows that a page of ours asks. */
async function withProof(init: RequestInit, key: PageKey | null): Promise<RequestInit> {
  const headers = new Headers(init.headers)
  headers.set(PROOF_HEADER, key === null ? '1' : await proofOf(key))
  return { ...init, headers }
}

function pageKeyKept(): PageKey | null {
  try {
    const { pageKey, instance } = JSON.parse(localStorage.getItem(PLACE) ?? '') as Partial<PageKey>
    return typeof pageKey === 'string' && typeof instance === 'string' ? { pageKey, instance } : null
  } catch {
    return null
  }
}

let made: { readonly from: PageKey; readonly proof: string } | null = null

async function proofOf(key: PageKey): Promise<string> {
  if (made?.from.pageKey === key.pageKey && made.from.instance === key.instance) return made.proof
  const text = new TextEncoder()
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  const secret = await crypto.subtle.importKey('raw', text.encode(key.pageKey), algorithm, false, ['sign'])
  const signed = await crypto.subtle.sign('HMAC', secret, text.encode(JSON.stringify(['host', key.instance])))
  const proof = btoa(String.fromCharCode(...new Uint8Array(signed)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
  made = { from: key, proof }
  return proof
}
