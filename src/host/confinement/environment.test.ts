import { describe, expect, it } from 'vitest'
import {
  BASE_VARIABLES,
  isVariablePattern,
  listed,
  listedWithoutPasswords,
  withoutOurs,
  withPrivateHome,
} from './environment.ts'

const SHELL = {
  PATH: '/usr/bin',
  HOME: '/home/user',
  LC_TIME: 'C',
  NVM_DIR: '/home/user/.nvm',
  HTTPS_PROXY: 'http://proxy',
  GIT_AUTHOR_NAME: 'User',
  ANTHROPIC_API_KEY: 'key',
  AWS_SECRET_ACCESS_KEY: 'secret',
  DATABASE_URL: 'postgres://',
  NPM_TOKEN: 'token',
  SSH_AUTH_SOCK: '/run/agent',
  SIGNALBOX_HOME: '/data',
  SIGNALBOX_SESSION_TOKEN: 'of another session',
  GIT_DIR: '/elsewhere/.git',
  GIT_INDEX_FILE: '/elsewhere/index',
}

describe('[X5] the environment is a list', () => {
  it('of what any program needs, and of nothing that might be a secret', () => {
    expect(listed(SHELL, BASE_VARIABLES)).toEqual({
      PATH: '/usr/bin',
      HOME: '/home/user',
      LC_TIME: 'C',
      NVM_DIR: '/home/user/.nvm',
      HTTPS_PROXY: 'http://proxy',
      GIT_AUTHOR_NAME: 'User',
    })
  })

  it('takes names and beginnings of names, and those as they are written', () => {
    expect(Object.keys(listed(SHELL, ['ANTHROPIC_*', 'NPM_TOKEN', 'AWS', 'database_url']))).toEqual([
      'ANTHROPIC_API_KEY',
      'NPM_TOKEN',
    ])
  })

  it('never has what is ours or a surrounding git’s, whoever lists it', () => {
    expect(listed(SHELL, ['SIGNALBOX_*', 'GIT_*', 'SIGNALBOX_SESSION_TOKEN'])).toEqual({
      GIT_AUTHOR_NAME: 'User',
    })
    expect(Object.keys(withoutOurs(SHELL)).filter((name) => /SIGNALBOX|GIT_/.test(name))).toEqual([
      'GIT_AUTHOR_NAME',
    ])
  })

  it('knows nobody’s account: a base that passed a key on would pass it to every gate', () => {
    const odd = BASE_VARIABLES.filter((name) => /TOKEN|SECRET|PASS|KEY|AUTH(?!OR)|CREDENTIAL/i.test(name))
    expect(odd).toEqual([])
    expect(BASE_VARIABLES.filter((name) => !isVariablePattern(name))).toEqual([])
  })

  it.each([
    ['NAME', true],
    ['PREFIX_*', true],
    ['_x1', true],
    ['*', false],
    ['A*B', false],
    ['1A', false],
    ['A=B', false],
    ['', false],
  ])('%s can be listed: %s', (text, expected) => {
    expect(isVariablePattern(text)).toBe(expected)
  })

  it('names no place for settings that cannot be written to in the sandbox', () => {
    const variables = { HOME: '/home/u', XDG_CACHE_HOME: '/data/cache', XDG_DATA_HOME: '/home/u/.data' }
    expect(withPrivateHome(variables, '/home/u')).toEqual({ HOME: '/home/u', XDG_DATA_HOME: '/home/u/.data' })
    expect(withPrivateHome(variables, '/ground/home')).toEqual({ HOME: '/ground/home' })
  })
})

describe('[D25] the environment of a sandbox', () => {
  it('has no password in any variable, whatever it is called', () => {
    const names = BASE_VARIABLES.map((name) => name.replace('*', 'ANYTHING'))
    const variables = Object.fromEntries(
      names.map((name) => [name, `off,https://user:hidden@${name}.example.com`]),
    )
    const passed = listedWithoutPasswords(variables, [])
    expect(Object.keys(passed)).toEqual(names)
    expect(JSON.stringify(passed)).not.toMatch(/hidden|user/)
  })

  it('has whole what somebody named', () => {
    const variables = { DATABASE_URL: 'postgres://me:mine@localhost', GOPROXY: 'https://me:mine@example.com' }
    expect(listedWithoutPasswords(variables, ['DATABASE_URL', 'GOPROXY'])).toEqual(variables)
  })
})
