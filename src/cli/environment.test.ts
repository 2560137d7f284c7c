/** Where things are kept, from what the environment says. */
import { userInfo } from 'node:os'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readEnvironment } from './environment.ts'

describe('the environment', () => {
  it('keeps data and config under the home folder unless it is told otherwise', () => {
    expect(readEnvironment({ HOME: '/h' })).toMatchObject({
      home: '/h/.local/share/signalbox',
      configDir: '/h/.config/signalbox',
    })
  })

  it('follows the XDG variables, and ignores relative and empty ones as XDG says', () => {
    const env = { HOME: '/h', XDG_DATA_HOME: '/data', XDG_CONFIG_HOME: '/config' }
    expect(readEnvironment(env)).toMatchObject({ home: '/data/signalbox', configDir: '/config/signalbox' })
    for (const odd of ['', 'data', './data', '~/data'])
      expect(readEnvironment({ HOME: '/h', XDG_DATA_HOME: odd, XDG_CONFIG_HOME: odd })).toMatchObject({
        home: '/h/.local/share/signalbox',
        configDir: '/h/.config/signalbox',
      })
  })

  it('takes its own variables first, relative to where the user stands', () => {
    const env = { HOME: '/h', XDG_DATA_HOME: '/data', SIGNALBOX_HOME: '/mine', SIGNALBOX_CONFIG: 'conf' }
    expect(readEnvironment(env)).toMatchObject({ home: '/mine', configDir: resolve('conf') })
    expect(readEnvironment({ ...env, SIGNALBOX_HOME: '' }).home).toBe('/data/signalbox')
  })

  it('finds a home folder and a name without any variables', () => {
    const { home, user, searchPath, variables } = readEnvironment({})
    expect(home).toMatch(/^\/.*signalbox$/)
    expect(user).toBe(userInfo().username)
    expect({ searchPath, variables }).toEqual({ searchPath: '', variables: {} })
  })

  it('hands on every variable that has a value', () => {
    const { variables, searchPath } = readEnvironment({
      HOME: '/h',
      PATH: '/bin',
      GONE: undefined,
      EMPTY: '',
    })
    expect(variables).toEqual({ HOME: '/h', PATH: '/bin', EMPTY: '' })
    expect(searchPath).toBe('/bin')
  })

  it("knows an agent's session, also one of which only half is told", () => {
    expect(readEnvironment({ HOME: '/h' }).session).toBeNull()
    expect(
      readEnvironment({ HOME: '/h', SIGNALBOX_SESSION_URL: '', SIGNALBOX_SESSION_TOKEN: '' }).session,
    ).toBeNull()
    const env = { HOME: '/h', SIGNALBOX_SESSION_URL: 'http://here', SIGNALBOX_SESSION_TOKEN: 'mine' }
    expect(readEnvironment(env).session).toEqual({ url: 'http://here', token: 'mine' })
    expect(readEnvironment({ HOME: '/h', SIGNALBOX_SESSION_TOKEN: 'mine' }).session).toEqual({
      url: '',
      token: 'mine',
    })
  })
})
