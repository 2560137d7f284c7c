/** Bytes that the journal keeps: they never change, so each is asked for once. */
import { useEffect, useState } from 'react'
import type { Program } from '../../model/program.ts'
import { fetchKept } from './ask.ts'
import { LOADING, type Loaded } from './loaded.ts'

const known = new Map<string, Promise<string | null>>()

function keptText(digest: string): Promise<string | null> {
  const found = known.get(digest) ?? fetchKept(digest)
  known.set(digest, found)
  // Nobody answered, or nothing was there: the next who asks may be luckier.
  void found.then((text) => text === null && known.delete(digest))
  return found
}

export function useKept(digest: string | null): Loaded<string> {
  const [text, setText] = useState<Loaded<string>>(LOADING)
  useEffect(() => {
    if (digest === null) return
    let isAsked = true
    setText(LOADING)
    void keptText(digest).then((value) => {
      if (isAsked) setText(value === null ? GONE : { kind: 'there', value })
    })
    return () => {
      isAsked = false
    }
  }, [digest])
  return text
}

const GONE: Loaded<never> = {
  kind: 'problem',
  problem: { code: 'unknown', problem: 'This is not in the record any more: it was erased or pruned.' },
}

/** The program a run began with; null until it is here. */
export function useProgram(digest: string | null): Program | null {
  const [program, setProgram] = useState<Program | null>(null)
  useEffect(() => {
    if (digest === null) return
    let isAsked = true
    void keptText(digest).then((text) => {
      if (isAsked && text !== null) setProgram(JSON.parse(text) as Program)
    })
    return () => {
      isAsked = false
    }
  }, [digest])
  return program
}
