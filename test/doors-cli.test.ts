/** The doors of a host as its user's commands use them, and what others on the machine get to see of that. */
import { chmodSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { until } from '../src/until.fixture.ts'
import { run as runProgram } from './command.fixture.ts'
import { openProject, type Project } from './runs.fixture.ts'

const SECRET = 'a-secret-that-is-to-be-erased'

async function up(project: Project) {
  const host = project.begin('up', '--port', '0')
  await host.says('Signalbox is up at')
  const { url } = JSON.parse(readFileSync(join(project.home, 'host.json'), 'utf8')) as {
    readonly url: string
  }
  return { host, url, port: Number(new URL(url).port) }
}

describe('a command', () => {
  it('[V21] says nothing to a program that holds the port of a killed host', async () => {
    const project = openProject()
    const { host, port } = await up(project)
    host.signal('SIGKILL')
    await host.ended
    const heard: string[] = []
    const squatters = ['127.0.0.1', '::1'].map((address) => {
      const server = createServer((socket) => {
        heard.push('a connection')
        socket.on('error', () => {})
        socket.on('data', (data) => heard.push(data.toString()))
      })
      onTestFinished(() => void server.close())
      return until(
        () =>
          new Promise<boolean>((done) =>
            server.once('error', () => done(false)).listen(port, address, () => done(true)),
          ),
        'the port is free',
      )
    })
    await Promise.all(squatters)
    for (const words of [
      ['ps'],
      ['decision', 'list'],
      ['erase', SECRET, '--yes'],
      ['people', 'token', 'maria'],
      ['doctor'],
    ])
      await project.run(...words)
    expect(heard).toEqual([])
    // The next host is at another port, and a link leads there.
    const link = (await project.run('open', '--print')).out.trim()
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/login#[\w-]+$/)
    expect(Number(new URL(link).port)).not.toBe(port)
    expect(heard).toEqual([])
  })

  it('[V22] opens a browser with no login link in any argument: a page of the home has it until it is used', async () => {
    const project = openProject()
    // What a desktop has as its opener.
    const bin = project.path('bin')
    mkdirSync(bin)
    writeFileSync(
      join(bin, 'xdg-open'),
      `#!/bin/sh\necho "$@" > ${project.path('arguments')}.new\nmv ${project.path('arguments')}.new ${project.path('arguments')}\n`,
    )
    chmodSync(join(bin, 'xdg-open'), 0o755)
    const { url } = await up(project)
    const env = `PATH=${bin}:${process.env['PATH']} SIGNALBOX_HOME=${project.home} SIGNALBOX_CONFIG=${dirname(project.home)}/config`
    const opened = await runProgram('sh', ['-c', `${env} exec bin/signalbox open`])
    expect([opened.code, opened.err]).toEqual([0, ''])
    const key = opened.out.trim().split('#')[1]!
    await until(() => existsSync(project.path('arguments')), 'the browser is opened')
    const argument = readFileSync(project.path('arguments'), 'utf8').trim()
    expect(argument).toMatch(/^file:\/\/\/\S+\.html$/)
    expect(argument).not.toContain(key)
    const page = new URL(argument).pathname
    expect(statSync(page).mode & 0o777).toBe(0o600)
    expect(statSync(dirname(page)).mode & 0o777).toBe(0o700)
    expect(readFileSync(page, 'utf8')).toContain(`0; url=${url}/login#${key}`)
    const entered = await fetch(`${url}/api/v1/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-signalbox': '1' },
      body: JSON.stringify({ key }),
    })
    expect(entered.status).toBe(200)
    expect(existsSync(page)).toBe(false)
  })
})

describe('the owner’s socket', () => {
  it('[V19] is its user’s alone, and works in a home of any length', async () => {
    const project = openProject()
    const home = join(project.home, 'a-folder-with-a-long-name'.repeat(4), 'and-another-one')
    mkdirSync(home, { recursive: true })
    const env = `SIGNALBOX_HOME=${home} SIGNALBOX_CONFIG=${dirname(project.home)}/config`
    const started = await runProgram('sh', [
      '-c',
      `${env} bin/signalbox open --print && ${env} bin/signalbox ps`,
    ])
    expect([started.code, started.err]).toEqual([0, expect.any(String)])
    const socket = join(home, 'host.sock')
    expect(Buffer.byteLength(socket)).toBeGreaterThan(107)
    expect([statSync(socket).isSocket(), statSync(socket).mode & 0o777]).toEqual([true, 0o600])
    expect((await runProgram('sh', ['-c', `${env} bin/signalbox down`])).code).toBe(0)
    expect(existsSync(socket)).toBe(false)
  })
})
