import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { until } from '../../until.fixture.ts'
import { run as runScript, sleeper, stdoutOf, temporaryFolder } from '../process/process.fixture.ts'
import { findSandbox } from './find-sandbox.ts'
import { boxed, describeBoxed } from './sandbox.fixture.ts'

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

describeBoxed('inside a sandbox', () => {
  /** A worktree with hooks, inside data of ours, with a secret beside it. */
  function place() {
    const data = join(temporaryFolder(), 'data')
    const tree = join(data, 'run', 'tree')
    const hooks = join(tree, 'hooks')
    const secret = join(data, 'secret')
    mkdirSync(hooks, { recursive: true })
    writeFileSync(secret, 'hush')
    const sandbox = boxed({ writable: [tree], readable: [hooks], hidden: [data] })
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

  it('[D10] nothing of the machine is there but the system and what was granted', async () => {
    const { tree, sandbox } = place()
    const elsewhere = join(temporaryFolder(), 'of-somebody-else')
    writeFileSync(elsewhere, 'hush')
    const { stdout } = await run(
      `cat ${elsewhere} || echo none; ls -A "$(dirname ${elsewhere})" || echo none; ls /home /root /run /srv /mnt /var/log 2>/dev/null; id -u`,
      {
        sandbox,
        cwd: tree,
      },
    )
    expect(stdout).toMatch(/^none\nnone\n\d+\n$/)
  })

  it('[D10] what of the system is not for everybody stays private, also from root', async () => {
    const { tree, sandbox } = place()
    const script =
      'cat /etc/shadow /etc/gshadow; ls /etc/ssl/private; ls /etc | grep -c . > /dev/null && echo listed'
    expect((await run(script, { sandbox, cwd: tree })).stdout).toBe('listed\n')
  })

  it('[D10] settings of the kernel cannot be written, also by root', async () => {
    const { tree, sandbox } = place()
    const script = `
      cd /proc
      for file in sys/kernel/core_pattern sys/kernel/modprobe sys/vm/overcommit_memory sys/fs/suid_dumpable; do
        now=$(cat $file) && (echo "$now" > $file) 2>/dev/null && echo wrote $file
      done
      for file in sysrq-trigger irq/default_smp_affinity scsi/scsi acpi/wakeup mtrr; do
        test -w $file && ! test -c $file && echo could write $file
      done
      grep -q . sys/kernel/ostype && echo read`
    expect((await run(script, { sandbox, cwd: tree })).stdout).toBe('read\n')
  })

  it('a folder can be shown at the place of another', async () => {
    const { tree, sandbox } = place()
    const other = temporaryFolder()
    writeFileSync(join(other, 'clean'), 'as committed')
    const shown = [{ from: other, at: tree, access: 'read' }] as const
    const { stdout } = await run('pwd; ls; touch new || echo kept', {
      sandbox: { ...sandbox, readable: [], shown },
      cwd: tree,
    })
    expect(stdout).toBe(`${tree}\nclean\nkept\n`)
  })

  it('a home stands in for the real one, and what is granted inside the real one shows through', async () => {
    const { tree, sandbox } = place()
    const [real, own] = [temporaryFolder(), temporaryFolder()]
    mkdirSync(join(real, '.tool', 'bin'), { recursive: true })
    writeFileSync(join(real, '.tool', 'bin', 'it'), 'tool')
    writeFileSync(join(real, 'secret'), 'hush')
    const script = `cd ${real}; cat .tool/bin/it; ls -A; echo mine > note; cat note; touch .tool/x || echo kept`
    const readable = [join(real, '.tool', 'bin')]
    for (const from of [own, null]) {
      const boxing = { ...sandbox, readable, home: { at: real, from } }
      const { stdout } = await run(script, { sandbox: boxing, cwd: tree })
      expect(stdout).toMatch(/^tool\.tool\nmine\n/)
    }
    expect(readFileSync(join(own, 'note'), 'utf8')).toBe('mine\n')
    expect(existsSync(join(real, 'note'))).toBe(false)
  })

  it('a link laid by whoever writes grants nothing', async () => {
    const { data, tree, sandbox } = place()
    const [real, own] = [temporaryFolder(), temporaryFolder()]
    symlinkSync(data, join(tree, 'answers'))
    symlinkSync(`/oldroot${data}`, join(own, '.tool'))
    mkdirSync(join(real, '.tool'))
    const { stdout } = await run('cat answers/secret || echo none', {
      sandbox: {
        ...sandbox,
        hidden: [],
        readable: [join(tree, 'answers'), join(real, '.tool')],
        home: { at: real, from: own },
      },
      cwd: tree,
    })
    expect(stdout).toBe('none\n')
  })

  it('a granted path that is a link can be walked by both names', async () => {
    const { tree, sandbox } = place()
    const folder = temporaryFolder()
    mkdirSync(join(folder, 'real'))
    writeFileSync(join(folder, 'real', 'file'), 'here')
    symlinkSync('real', join(folder, 'link'))
    const { stdout } = await run(`cat ${folder}/link/file ${folder}/real/file; ls ${folder}`, {
      sandbox: { ...sandbox, readable: [join(folder, 'link')] },
      cwd: tree,
    })
    expect(stdout).toBe('herehere' + 'link\nreal\n')
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
      sandbox: { ...sandbox, writable: [], readable: [tree] },
      cwd: tree,
    })
    expect(stdout).toBe('hooks\nkept\n')
  })

  it('a working directory that nobody granted is there, and empty', async () => {
    const { sandbox } = place()
    for (const cwd of ['/var/log', temporaryFolder()]) {
      const { stdout, error } = await run('pwd; ls -A', { sandbox, cwd })
      expect([stdout, error]).toEqual([`${cwd}\n`, null])
    }
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
    const broken = runScript('', {
      argv: ['true'],
      sandbox: boxed({
        engine: { kind: 'bubblewrap', program: '/no/bwrap', perl: null, groups: null, limitsTemporary: true },
      }),
      cwd: tree,
    })
    expect((await broken.exited).error).toBe('The program /no/bwrap was not found.')
    const nowhere = runScript('', { argv: ['true'], sandbox, cwd: join(tree, 'missing') })
    expect((await nowhere.exited).error).toBe(`The folder ${tree}/missing does not exist.`)
    expect(await run('echo bwrap: my own words >&2; exit 1', { sandbox, cwd: tree })).toMatchObject({
      code: 1,
    })
  })

  it('starts when a file that was to be out of sight has gone', async () => {
    const { tree, sandbox } = place()
    const folder = temporaryFolder()
    writeFileSync(join(folder, '.npmrc'), '//registry.example.com/:_authToken=hidden')
    const boxing = { sandbox: { ...sandbox, programs: [folder] }, cwd: tree }
    expect((await run(`cat ${folder}/.npmrc; echo ran`, boxing)).stdout).toBe('ran\n')
    rmSync(folder, { recursive: true })
    mkdirSync(folder)
    expect((await run('echo ran', boxing)).stdout).toBe('ran\n')
  })

  it('[X14] no variable of a command reaches the programs that make its sandbox', async () => {
    const { tree, sandbox } = place()
    const lure = join(tree, 'lure')
    writeFileSync(join(tree, 'Lure.pm'), `open(F, '>', '${lure}'); 1`)
    // Whoever loads no such library says so.
    const env = {
      PATH: process.env['PATH'] ?? '',
      LD_PRELOAD: '/no/such.so',
      PERL5OPT: '-MLure',
      PERL5LIB: tree,
    }
    for (const hosts of [[], ['*']]) {
      const seen = await run('echo $PERL5OPT', {
        sandbox: { ...sandbox, network: { hosts, ports: [] } },
        cwd: tree,
        env,
      })
      expect(seen.stdout).toBe('-MLure\n')
      expect(seen.stderr).not.toMatch(/\b(?:bwrap|perl)\b/)
    }
    expect(existsSync(lure)).toBe(false)
  })

  it('everything ends with the program', async () => {
    const { tree, sandbox } = place()
    const { command, alive } = sleeper()
    const running = runScript(`(setsid nohup env -i ${command} >/dev/null 2>&1 &); read line`, {
      sandbox,
      cwd: tree,
    })
    await until(() => alive().length === 1, 'it runs')
    running.stdin.end('\n')
    await running.exited
    await until(() => alive().length === 0, 'it has ended')
  })

  it('[D9] nobody in it is alive after a stop, though it came to its own end', async () => {
    const { tree, sandbox } = place()
    const { command, alive } = sleeper()
    const crowd = `for i in $(seq 300); do ${command} & done; read line`
    const running = runScript(`(setsid sh -c '${crowd}' >/dev/null 2>&1 &); read line`, {
      sandbox,
      cwd: tree,
    })
    await until(() => alive().length === 300, 'they run')
    running.stdin.end('\n')
    expect((await running.exited).code).toBe(0)
    await running.stop(0)
    expect(alive()).toEqual([])
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
    await until(() => alive().length === 2, 'both run')
    await running.stop(50)
    expect(alive()).toEqual([])
  })
})
