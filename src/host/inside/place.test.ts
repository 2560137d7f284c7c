import { describe, expect, it } from 'vitest'
import { isPlainPath, placeIn } from './place.ts'

const where = (path: string, from?: readonly string[]): string => {
  const place = placeIn('/repo', path, from)
  return 'why' in place ? place.why : place.names.join('/')
}

describe('[W30] a path that a repository names', () => {
  it('is a place below its root, wherever in it the path begins', () => {
    expect(where('docs/./plan.md')).toBe('docs/plan.md')
    expect(where('../docs//plan.md', ['.signalbox'])).toBe('docs/plan.md')
    expect(where('..plan/...')).toBe('..plan/...')
  })

  it.each(['../plan.md', 'docs/../../plan.md', 'docs/../../repo/plan.md', '..'])(
    'does not lead out: %s',
    (path) => {
      expect(where(path)).toContain('leads out of /repo')
    },
  )

  it.each(['/repo/plan.md', '/etc/passwd'])('is not absolute: %s', (path) => {
    expect(where(path)).toContain('is an absolute path')
  })

  it.each([
    '.git/config',
    'docs/.GIT/config',
    'sub/.git',
    '.git./config',
    '.git /config',
    'GIT~1/config',
    '.git::$INDEX_ALLOCATION/config',
    '.g\u200cit/config',
  ])('does not belong to git: %j', (path) => {
    expect(where(path)).toContain('belongs to git')
  })

  it('can be the name of a file', () => {
    expect(where('plan.md\0')).toContain('holds a NUL')
  })
})

it('[W33] a path of a git tree is plain, or was made to do harm', () => {
  expect(['.signalbox/issues/1.md', 'a b/c'].filter((path) => !isPlainPath(path))).toEqual([])
  expect(['a/../b', '../b', 'a//b', './a', '/a', '.git/a', 'a/..'].filter(isPlainPath)).toEqual([])
})
