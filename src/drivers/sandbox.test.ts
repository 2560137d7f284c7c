import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { run as runScript, sleeper, stdoutOf, temporaryFolder, until } from './process/process.fixture.ts'
import { findSandbox, type ResolvedSandbox, resolveSandbox, type Sandbox, sandboxArgv } from './sandbox.ts'

const found = await findSandbox()
const why = 'why' in found ? found.why : null
const bwrap = 'bwrap' in found ? found.bwrap : 'bwrap'
const open: Sandbox = { bwrap, writable: [], readOnly: [], hidden: [], network: true }

describe('the command line', () => {
  const lineOf = (more: Partial<ResolvedSandbox>, cwd = '/') =>
    sandboxArgv(
      { ...open, bwrap: 'bwrap', hiddenFiles: [], ...more },
      { argv: ['cat'], cwd, asRoot: false },
    ).join(' ')

  it('leaves everything read-only, and /tmp private', () => {
    expect(lineOf({})).toBe(
      'bwrap --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --unshare-pid --die-with-parent --new-session --json-status-fd 3 --chdir / -- cat',
    )
  })

  it('lets the longest path have the word', () => {
    expect(
      lineOf({
        readOnly: ['/data/run/tree/hooks'],
        writable: ['/data/run/tree', '/home/me/.cache'],
        hidden: ['/data', '/data/run/tree/secrets'],
        hiddenFiles: ['/home/me/.cache/token'],
      }),
    ).toContain(
      [
        '--tmpfs /tmp --tmpfs /data --bind /data/run/tree /data/run/tree --bind /home/me/.cache /home/me/.cache',
        '--tmpfs /data/run/tree/secrets --ro-bind /dev/null /home/me/.cache/token',
        '--ro-bind /data/run/tree/hooks /data/run/tree/hooks',
        '--remount-ro /data --remount-ro /data/run/tree/secrets',
      ].join(' '),
    )
  })

  it('prefers, on one path, writable to hidden and read-only to both', () => {
    expect(lineOf({ hidden: ['/a'], writable: ['/a', '/b'], readOnly: ['/b'] })).toContain(
      '--tmpfs /tmp --bind /a /a --ro-bind /b /b --unshare-pid',
    )
    expect(lineOf({ writable: ['/', '/tmp'] })).toMatch(/^bwrap --bind \/ \/ .* --bind \/tmp \/tmp --unshare/)
  })

  it('brings back a working directory that nobody spoke of', () => {
    expect(lineOf({}, '/tmp/tree')).toContain('--tmpfs /tmp --ro-bind /tmp/tree /tmp/tree ')
    expect(lineOf({ hidden: ['/data'] }, '/data/tree')).toContain('--ro-bind /data/tree /data/tree ')
    expect(lineOf({ writable: ['/tmp/tree'] }, '/tmp/tree/src')).not.toContain('--ro-bind /tmp')
    expect(lineOf({ writable: ['/tmp/tree'] }, '/tmp/tree-2')).toContain('--ro-bind /tmp/tree-2 /tmp/tree-2')
    expect(lineOf({}, '/home/me')).not.toContain('/home/me /home/me')
  })

  it('takes root its power, and everybody the network where asked', () => {
    const line = sandboxArgv(
      { ...open, hiddenFiles: [], network: false },
      { argv: ['cat'], cwd: '/', asRoot: true },
    ).join(' ')
    expect(line).toContain('--unshare-user --uid 1000 --gid 1000 --cap-drop ALL --disable-userns')
    expect(line).toContain('--unshare-net')
  })

  it('is made of what exists, by its real name', () => {
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'real'))
    symlinkSync('real', join(folder, 'link'))
    writeFileSync(join(folder, 'token'), '')
    const paths = ['link', 'missing', 'token'].map((name) => join(folder, name))
    const resolved = resolveSandbox({ ...open, writable: paths, readOnly: paths, hidden: paths })
    const [real, token] = [join(folder, 'real'), join(folder, 'token')]
    expect(resolved).toMatchObject({ writable: [real, token], readOnly: [real, token] })
    expect(resolved).toMatchObject({ hidden: [real], hiddenFiles: [token] })
  })
})

describe('finding bubblewrap', () => {
  it('says so where there is none', async () => {
    expect(await findSandbox(temporaryFolder())).toEqual({ why: 'bubblewrap (bwrap) is not installed.' })
  })

  it('says so where it does not work', async () => {
    const folder = temporaryFolder()
    const script = '#!/bin/sh\necho "bwrap: No permission to create a namespace" >&2; exit 1\n'
    writeFileSync(join(folder, 'bwrap'), script, { mode: 0o755 })
    expect(await findSandbox(folder)).toEqual({
      why: `bubblewrap (${folder}/bwrap) does not work here: bwrap: No permission to create a namespace`,
    })
  })
})

describe.skipIf(why !== null)(`inside a sandbox${why === null ? '' : ` (skipped: ${why})`}`, () => {
  /** A worktree with hooks, inside data of ours, with a secret beside it. */
  function place() {
    const data = join(temporaryFolder(), 'data')
    const tree = join(data, 'run', 'tree')
    const hooks = join(tree, 'hooks')
    const secret = join(data, 'secret')
    mkdirSync(hooks, { recursive: true })
    writeFileSync(secret, 'hush')
    const sandbox: Sandbox = { ...open, writable: [tree], readOnly: [hooks], hidden: [data] }
    return { data, tree, hooks, secret, sandbox }
  }

  async function run(script: string, where: Parameters<typeof runScript>[1]) {
    const running = runScript(script, where)
    const stdout = await stdoutOf(running)
    return { ...(await running.exited), stdout, stderr: running.stderrTail() }
  }

  it('[D10] the worktree may be written to, its hooks and the rest not', async () => {
    const { data, tree, hooks, sandbox } = place()
    const script = `
      pwd; echo new > new && echo wrote
      for path in hooks/hook /etc/signalbox-test ${data}/other ${data}/run/other; do
        echo x > $path || echo kept
      done 2>/dev/null`
    const { stdout, code } = await run(script, { sandbox, cwd: tree })
    expect(stdout).toBe(`${tree}\nwrote\nkept\nkept\nkept\nkept\n`)
    expect(code).toBe(0)
    expect(readFileSync(join(tree, 'new'), 'utf8')).toBe('new\n')
    expect([existsSync(join(hooks, 'hook')), existsSync(join(data, 'other'))]).toEqual([false, false])
  })

  it('[D10] what is hidden is not there, though the worktree inside it is', async () => {
    const { data, tree, secret, sandbox } = place()
    const { stdout } = await run(`ls -A ${data}; cat ${secret} || echo none`, { sandbox, cwd: tree })
    expect(stdout).toBe('run\nnone\n')
  })

  it('a hidden file cannot be read or replaced', async () => {
    const { tree, sandbox } = place()
    const token = join(tree, 'token')
    writeFileSync(token, 'hush')
    const hiding = { ...sandbox, hidden: [...sandbox.hidden, token] }
    const { stdout } = await run('cat token; echo x > token; rm -f token; true', {
      sandbox: hiding,
      cwd: tree,
    })
    expect([stdout, readFileSync(token, 'utf8')]).toEqual(['', 'hush'])
  })

  it('a working directory that is not writable is read-only', async () => {
    const { tree, sandbox } = place()
    const { stdout } = await run('ls; touch new || echo kept', {
      sandbox: { ...sandbox, writable: [] },
      cwd: tree,
    })
    expect(stdout).toBe('hooks\nkept\n')
  })

  it('/tmp is private and may be written to', async () => {
    const { tree, sandbox } = place()
    const name = `/tmp/signalbox-test-${process.pid}`
    const { stdout } = await run(`echo mine > ${name}; cat ${name}`, { sandbox, cwd: tree })
    expect([stdout, existsSync(name)]).toEqual(['mine\n', false])
  })

  it('temporary files are kept where they may be written, wherever that is outside', async () => {
    const { tree, hooks, sandbox } = place()
    const env = (TMPDIR: string) => ({ PATH: process.env['PATH'] ?? '', TMPDIR })
    for (const [given, kept] of [
      [tree, tree],
      [hooks, '/tmp'],
      ['/no/such/folder', '/tmp'],
    ] as const) {
      const { stdout } = await run('dirname $(mktemp)', { sandbox, cwd: tree, env: env(given) })
      expect(stdout.trim(), given).toBe(kept)
    }
  })

  it('files belong to whom they belong outside', async () => {
    const { tree, sandbox } = place()
    writeFileSync(join(tree, 'private'), 'mine', { mode: 0o600 })
    const { stdout } = await run('cat private; test -O private && echo " own"; chmod 700 private', {
      sandbox,
      cwd: tree,
    })
    expect(stdout).toBe('mine own\n')
  })

  it('there is a network or there is none', async () => {
    const { tree, sandbox } = place()
    const server = createServer((socket) => socket.end('hello')).listen(0, '127.0.0.1')
    onTestFinished(() => void server.close())
    await new Promise((resolve) => server.once('listening', resolve))
    const address = server.address()
    const port = typeof address === 'object' ? address?.port : null
    const script = `node -e 'require("net").connect(${port}, "127.0.0.1").on("error", () => console.log("none")).pipe(process.stdout)'`
    expect((await run(script, { sandbox, cwd: tree })).stdout).toBe('hello')
    expect((await run(script, { sandbox: { ...sandbox, network: false }, cwd: tree })).stdout).toBe('none\n')
  })

  it('the exit code comes through', async () => {
    const { tree, sandbox } = place()
    expect(await run('exit 42', { sandbox, cwd: tree })).toMatchObject({
      code: 42,
      signal: null,
      error: null,
    })
  })

  it('it shows whether the program could be started', async () => {
    const { tree, sandbox } = place()
    const missing = runScript('', { argv: ['no-such-program'], sandbox, cwd: tree })
    expect((await missing.exited).error).toBe('The program no-such-program was not found.')
    const broken = runScript('', { argv: ['true'], sandbox: { ...sandbox, bwrap: '/no/bwrap' }, cwd: tree })
    expect((await broken.exited).error).toBe('The program /no/bwrap was not found.')
    const nowhere = runScript('', { argv: ['true'], sandbox, cwd: join(tree, 'missing') })
    expect((await nowhere.exited).error).toBe(`The folder ${tree}/missing does not exist.`)
    expect(await run('echo bwrap: my own words >&2; exit 1', { sandbox, cwd: tree })).toMatchObject({
      code: 1,
    })
  })

  it('everything ends with the program', async () => {
    const { tree, sandbox } = place()
    const { command, alive } = sleeper()
    const running = runScript(`(setsid nohup env -i ${command} >/dev/null 2>&1 &); read line`, {
      sandbox,
      cwd: tree,
    })
    await until('it runs', () => alive().length === 1)
    running.stdin.end('\n')
    await running.exited
    await until('it has ended', () => alive().length === 0)
  })

  it('a stop lets the program say goodbye', async () => {
    const { tree, sandbox } = place()
    const script = 'trap "echo bye; exit 5" TERM; echo ready; while :; do sleep 0.01; done'
    const running = runScript(script, { sandbox, cwd: tree })
    running.stdout.once('data', () => void running.stop(20_000))
    expect(await stdoutOf(running)).toMatch(/^ready\nbye\n/)
    expect((await running.exited).code).toBe(5)
  })

  it('a stop ends what does not listen', async () => {
    const { tree, sandbox } = place()
    const { command, alive } = sleeper()
    const running = runScript(`trap "" TERM; (env -i setsid ${command} &); ${command}`, {
      sandbox,
      cwd: tree,
    })
    await until('both run', () => alive().length === 2)
    await running.stop(50)
    expect(alive()).toEqual([])
  })
})
