import { describe, expect, it } from 'vitest'
import type { Role } from '../../model/certificate.ts'
import { rolesText } from './roles-text.ts'

const SILENT: Role = { agent: 'dev', writes: null, network: null, git: null, judge: null }
const told = (...roles: Partial<Role>[]) =>
  rolesText(roles.map((role) => ({ ...SILENT, ...role }))).join('\n')

describe('what roles may do', () => {
  it('[C13] is told of what is said, and of nothing else', () => {
    expect(told()).toBe('')
    expect(told({ writes: ['src/**', 'test/**'] }, { agent: 'critic', writes: [] })).toBe(
      ['', '  role    writes', '  dev     src/**, test/**', '  critic  nothing'].join('\n'),
    )
  })

  it('[C13] has a column for each kind of thing that is said of somebody', () => {
    expect(told({ network: ['a.example.com'], git: 'read' }, { agent: 'critic', network: 'off' })).toBe(
      [
        '',
        '  role    network        git',
        '  dev     a.example.com  read',
        '  critic  off            ·',
      ].join('\n'),
    )
  })

  it('[C13] tells a judge, to whom an agent is held', () => {
    expect(told({ judge: 'sh judge.sh' })).toBe(['', '  role  judge', '  dev   sh judge.sh'].join('\n'))
  })
})
