/** The words by which the command is called again, for each way in which it was called. */
import { chmodSync, mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { createPlace } from '../config/config.fixture.ts'
import { onSearchPath, ownCommand, shellWord } from './own-command.ts'

/** A clone, a folder of the search path, and a project that has it as a package. */
function setUp() {
  const place = createPlace()
  const script = place.write('clone/bin/signalbox', '#!/bin/sh\n')
  chmodSync(script, 0o755)
  const [global, local] = ['global', 'project/node_modules/.bin'].map((name) => join(place.dir, name)) as [
    string,
    string,
  ]
  for (const folder of [global, local]) mkdirSync(folder, { recursive: true })
  const link = (folder: string): string => {
    symlinkSync(script, join(folder, 'signalbox'))
    return join(folder, 'signalbox')
  }
  return { place, script, global, local, link }
}

describe('the command, called again', () => {
  it('is its file where no name leads to it', () => {
    const { script, global } = setUp()
    expect(ownCommand({ script, searchPath: global })).toBe(`node ${script}`)
    expect(ownCommand({ script, searchPath: '' })).toBe(`node ${script}`)
  })

  it('is the plain name where that is this one, however it was started', () => {
    const { script, global, link } = setUp()
    const linked = link(global)
    for (const started of [script, linked])
      expect(ownCommand({ script: started, searchPath: global })).toBe('signalbox')
  })

  it('is its file where the name is another one', () => {
    const { place, script } = setUp()
    place.program('signalbox', 'true')
    expect(ownCommand({ script, searchPath: place.searchPath })).toBe(`node ${script}`)
  })

  it('goes through npx where npm found it, whose path no shell has', () => {
    const { local, global, link } = setUp()
    const script = link(local)
    const searchPath = [local, global].join(delimiter)
    expect(onSearchPath(searchPath)).toBeNull()
    expect(ownCommand({ script, searchPath })).toBe('npx signalbox')
  })

  it('can be pasted wherever it lies', () => {
    expect(shellWord('/opt/signalbox/bin/signalbox')).toBe('/opt/signalbox/bin/signalbox')
    expect(shellWord("/my tools/it's")).toBe(`'/my tools/it'\\''s'`)
  })
})
