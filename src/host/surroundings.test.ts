import { homedir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { homeAt } from './home.ts'
import { keepRuns, programOf } from './runs.fixture.ts'
import { environmentFor, type Surroundings, sandboxFor } from './surroundings.ts'

const SURROUNDINGS: Surroundings = {
  home: homeAt('/data/signalbox'),
  environment: {
    PATH: '/usr/bin',
    HOME: '/home/user',
    ANTHROPIC_API_KEY: 'key',
    GIT_AUTHOR_NAME: 'User',
    GIT_SSH_COMMAND: 'ssh -i key',
    SIGNALBOX_HOME: '/data/signalbox',
    SIGNALBOX_RUN: 'of another run',
    SIGNALBOX_ANYTHING: 'ours',
    GIT_DIR: '/elsewhere/.git',
    GIT_WORK_TREE: '/elsewhere',
    GIT_INDEX_FILE: '/elsewhere/index',
    GIT_OBJECT_DIRECTORY: '/elsewhere/objects',
    GIT_COMMON_DIR: '/elsewhere/common',
    GIT_PREFIX: 'sub/',
    GIT_NAMESPACE: 'n',
  },
  bwrap: '/usr/bin/bwrap',
  network: true,
  writable: ['~/.cache/npm', '/var/cache/x'],
  hidden: ['/home/user/.config/signalbox'],
}

const PROGRAM = programOf('steps: { work: { agent: dev, prompt: Do it., next: done } }')

describe('the environment of a process', () => {
  it('is the user’s, without what is ours or a surrounding git’s', () => {
    expect(environmentFor(SURROUNDINGS, { SIGNALBOX_RUN: 'r1' })).toEqual({
      PATH: '/usr/bin',
      HOME: '/home/user',
      ANTHROPIC_API_KEY: 'key',
      GIT_AUTHOR_NAME: 'User',
      GIT_SSH_COMMAND: 'ssh -i key',
      SIGNALBOX_RUN: 'r1',
    })
  })
})

describe('the sandbox of a process', () => {
  it('lets it write to the worktree and to what it keeps, and hides what is ours', async () => {
    const loaded = await keepRuns(PROGRAM).begin('r1')
    const needs = { keeps: ['~/.claude', '/opt/agent'], reads: ['/scripts/dev.json'] }
    const sandbox = sandboxFor(SURROUNDINGS, loaded, needs)!
    expect(sandbox.writable).toEqual([
      '/nowhere/worktrees/repo-r1',
      '/nowhere/repo/.git',
      `${homedir()}/.claude`,
      '/opt/agent',
      `${homedir()}/.cache/npm`,
      '/var/cache/x',
    ])
    expect(sandbox.readOnly).toEqual(
      expect.arrayContaining([
        '/nowhere/repo',
        '/scripts/dev.json',
        '/nowhere/repo/.git/config',
        '/nowhere/repo/.git/hooks',
      ]),
    )
    expect(sandbox.hidden).toEqual(['/data/signalbox', '/home/user/.config/signalbox'])
    expect(sandbox).toMatchObject({ bwrap: '/usr/bin/bwrap', network: true })
    expect(sandboxFor({ ...SURROUNDINGS, network: false }, loaded)).toMatchObject({ network: false })
  })

  it('is none where there is no bubblewrap', async () => {
    const loaded = await keepRuns(PROGRAM).begin('r1')
    expect(sandboxFor({ ...SURROUNDINGS, bwrap: null }, loaded)).toBeNull()
  })
})
