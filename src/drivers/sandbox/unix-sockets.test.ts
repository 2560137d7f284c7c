/** Unix sockets inside a real sandbox: the machine's, which must not answer, and its own. */
import { existsSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { run as runScript, stdoutOf, temporaryFolder } from '../process/process.fixture.ts'
import { boxed, describeBoxed } from './sandbox.fixture.ts'

describeBoxed('a Unix socket', () => {
  function place() {
    const tree = temporaryFolder()
    return { tree, sandbox: boxed({ writable: [tree] }) }
  }

  async function run(script: string, where: Parameters<typeof runScript>[1]) {
    const running = runScript(script, where)
    const stdout = await stdoutOf(running)
    return { ...(await running.exited), stdout, stderr: running.stderrTail() }
  }

  it('[D14] no Unix socket is reached: not by its path in what is granted, not by its abstract name', async () => {
    const { tree, sandbox } = place()
    const folder = temporaryFolder()
    const abstract = `\\0signalbox-test-${process.pid}`
    for (const name of [join(folder, 'socket'), abstract.replace('\\0', '\0')]) {
      const server = createServer((socket) => socket.on('error', () => {}).end('hello')).listen(name)
      onTestFinished(() => void server.close())
      await new Promise((resolve) => server.once('listening', resolve))
    }
    const script = ['socket', abstract]
      .map((name) => (name === 'socket' ? join(folder, name) : name))
      .map(
        (name) =>
          `node -e 'require("net").connect("${name}").on("error", () => console.log("none")).pipe(process.stdout)'`,
      )
      .join('; ')
    const granted = { ...sandbox, readable: [folder] }
    for (const network of [
      { hosts: ['*'], ports: [] },
      { hosts: [], ports: [] },
    ] as const)
      expect(
        (await run(script, { sandbox: { ...granted, network }, cwd: tree })).stdout,
        network.hosts.join(),
      ).toBe('none\nnone\n')
    const sockets = [join(folder, 'socket')]
    expect((await run(script, { sandbox: { ...sandbox, sockets }, cwd: tree })).stdout).toBe('hellonone\n')
  })

  it('[D14] no socket in a folder that may be read answers, however and whenever it is bound', async () => {
    const { tree, sandbox } = place()
    const folder = temporaryFolder()
    writeFileSync(join(folder, 'file'), 'here')
    // Node binds by the path that it is given, and keeps nothing of it.
    const server = `
      process.chdir(${JSON.stringify(folder)})
      const { createServer } = require('node:net')
      const bind = (name) => new Promise((done) => createServer((s) => s.on('error', () => {}).end('hello')).listen(name, done))
      bind('relative').then(() => bind('before')).then(() => {
        require('node:fs').renameSync('before', 'renamed')
        console.log('bound')
        process.stdin.once('data', () => bind('later').then(() => console.log('bound')))
      })`
    const outside = runScript('', { argv: ['node', '-e', server] })
    onTestFinished(() => outside.stop(0))
    const bound = () => new Promise((resolve) => outside.stdout.once('data', resolve))
    await bound()
    const call = (name: string) =>
      `node -e 'require("net").connect("${folder}/${name}").on("error", () => console.log("none")).pipe(process.stdout)'`
    const script = `cat ${folder}/file; echo; echo ready; read line; ${['relative', 'renamed', 'later'].map(call).join('; ')}`
    for (const network of [
      { hosts: ['*'], ports: [] },
      { hosts: [], ports: [] },
    ]) {
      const box = { ...sandbox, readable: [folder], silent: [folder], network }
      const running = runScript(script, { sandbox: box, cwd: tree })
      const first = new Promise((resolve) => running.stdout.once('data', resolve))
      const all = stdoutOf(running)
      await first
      if (!existsSync(join(folder, 'later'))) {
        outside.stdin.write('bind\n')
        await bound()
      }
      running.stdin.end('\n')
      expect(await all, running.stderrTail()).toBe('here\nready\nnone\nnone\nnone\n')
    }
    // They do answer, and one that is declared does so in there, too.
    const open = { ...sandbox, readable: [folder], silent: [folder], sockets: [join(folder, 'later')] }
    expect((await run(call('later'), { sandbox: open, cwd: tree })).stdout).toBe('hello')
  })

  it('[D14] no socket answers where there are more than can be covered', async () => {
    const { tree, sandbox } = place()
    const folder = temporaryFolder()
    for (let count = 0; count < 70; count++) {
      const server = createServer((socket) => socket.on('error', () => {}).end('hello')).listen(
        join(folder, `${count}`),
      )
      onTestFinished(() => void server.close())
      await new Promise((resolve) => server.once('listening', resolve))
    }
    const script = `node -e 'require("net").connect("${folder}/69").on("error", () => console.log("none")).pipe(process.stdout)'`
    const granted = { ...sandbox, readable: [folder] }
    expect((await run(script, { sandbox: granted, cwd: tree })).stdout).toBe('none\n')
  })

  it('[D14] Unix sockets of its own can be made, whatever the network', async () => {
    const { tree, sandbox } = place()
    const script = `node -e '
      const server = require("net").createServer((socket) => socket.end("own")).listen("here.sock", () =>
        require("net").connect("here.sock").on("end", () => server.close()).pipe(process.stdout))'`
    for (const network of [
      { hosts: ['*'], ports: [] },
      { hosts: [], ports: [] },
    ] as const)
      expect((await run(script, { sandbox: { ...sandbox, network }, cwd: tree })).stdout).toBe('own')
  })

  it('[D14] tsx, which has a socket of its own, runs', async () => {
    const { tree, sandbox } = place()
    writeFileSync(join(tree, 'page.mts'), 'const text: string = "typed"; console.log(text)')
    const modules = join(process.cwd(), 'node_modules')
    const { stdout, stderr } = await run(`${modules}/.bin/tsx page.mts`, {
      sandbox: { ...sandbox, readable: [modules], network: { hosts: ['*'], ports: [] } },
      cwd: tree,
    })
    expect([stdout, stderr]).toEqual(['typed\n', ''])
  })
})
