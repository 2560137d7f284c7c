/** What Tab offers: asked of a real commander program, and of a real bash with the printed script. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Argument, Command, Option } from 'commander'
import { describe, expect, it } from 'vitest'
import { createPlace } from '../config/config.fixture.ts'
import { candidates, completionScript, SHELLS } from './completion.ts'

function program(): Command {
  const root = new Command('signalbox').version('1.0.0')
  root
    .command('check')
    .description('prove a runbook')
    .argument('<files...>')
    .option('--matrix', 'print the matrix')
    .option('--json', 'print as JSON')
  root.command('chart').argument('[runbook]')
  root
    .command('run')
    .alias('go')
    .argument('<runbook>')
    .option('--issue <id>')
    .option('--base <ref>')
    .option('--var <name=value>', 'a variable', (value: string) => value)
    .addOption(new Option('--mode <how>').choices(['fast', 'safe']))
  root.command('show').argument('<run>').option('-f, --follow', 'go on')
  root.command('move').argument('<run>').argument('<step>')
  root.command('completion').addArgument(new Argument('<shell>').choices(SHELLS))
  root.command('complete', { hidden: true }).argument('[words...]')
  const decision = root.command('decision').description('what waits for you')
  decision.command('list').description('all of it').option('--json')
  decision.command('answer').argument('<decision>').argument('[option]').option('--run <run>')
  return root
}

const offers = (...words: string[]): Promise<string[]> =>
  candidates({
    program: program(),
    words,
    runIds: async () => ['abc1', 'abd2', 'xyz3'],
    issueIds: async () => ['1', '12', '2'],
    decisions: async () => [
      ['d1f0', 'Which store?'],
      ['e2a9', 'Ship it?'],
    ],
    optionsOf: async (decision) =>
      decision === 'd1f0'
        ? [
            ['sqlite', 'SQLite file'],
            ['redis', 'Redis'],
          ]
        : [],
  })

const names = async (...words: string[]): Promise<string[]> =>
  (await offers(...words)).map((line) => line.split('\t')[0] ?? '')

describe('candidates', () => {
  it('are commands at first, with what they do, and none that is hidden', async () => {
    expect(await names('')).toEqual([
      'check',
      'chart',
      'run',
      'show',
      'move',
      'completion',
      'decision',
      'help',
    ])
    expect(await offers('che')).toEqual(['check\tprove a runbook'])
    expect(await names()).toContain('check')
    expect(await names('zzz')).toEqual([])
  })

  it('are subcommands of a command that has some', async () => {
    expect(await names('decision', '')).toEqual(['list', 'answer', 'help'])
    expect(await names('decision', 'answer', '--run', 'ab')).toEqual(['abc1', 'abd2'])
  })

  it('are decisions with what they ask, then the options of the one that is named', async () => {
    expect(await offers('decision', 'answer', 'd')).toEqual(['d1f0\tWhich store?'])
    expect(await offers('decision', 'answer', 'd1f0', '')).toEqual(['sqlite\tSQLite file', 'redis\tRedis'])
    expect(await names('decision', 'answer', '--run', 'abc1', 'd1f0', 'r')).toEqual(['redis'])
    expect(await names('decision', 'answer', 'zzz', '')).toEqual([])
  })

  it('are options after a dash, not those that were given', async () => {
    expect(await names('check', '-')).toEqual(['--matrix', '--json', '--help'])
    expect(await names('check', '--json', '--')).toEqual(['--matrix', '--help'])
    expect(await names('show', '-f', '--')).toEqual(['--help'])
    expect(await names('run', '--var', 'a=b', '--v')).toEqual(['--var'])
    expect(await names('--v')).toEqual(['--version'])
  })

  it('are runs where one is asked for', async () => {
    expect(await names('show', '')).toEqual(['abc1', 'abd2', 'xyz3'])
    expect(await names('show', '--follow', 'x')).toEqual(['xyz3'])
    expect(await names('move', 'abc1', '')).toEqual([])
    expect(await names('show', 'abc1', '')).toEqual([])
  })

  it('are the values of an option, also behind "=" and where the shell cuts there', async () => {
    expect(await names('run', '--issue', '1')).toEqual(['1', '12'])
    expect(await names('run', '--mode', '')).toEqual(['fast', 'safe'])
    expect(await names('run', '--mode=s')).toEqual(['--mode=safe'])
    expect(await names('run', '--mode', '=', 'f')).toEqual(['fast'])
    expect(await names('run', '--mode', '=')).toEqual(['fast', 'safe'])
    expect(await names('run', '--base', '')).toEqual([])
    expect(await names('run', '--odd=x')).toEqual([])
  })

  it('are the values of an argument', async () => {
    expect(await names('completion', '')).toEqual(['bash', 'zsh', 'fish'])
  })

  it('leave files to the shell', async () => {
    expect(await names('check', '')).toEqual([':files'])
    expect(await names('check', 'a.yaml', 'b')).toEqual([':files'])
    expect(await names('go', '--issue', '1', '')).toEqual([':files'])
    expect(await names('check', '--', '--x')).toEqual([':files'])
  })
})

const hasBash = spawnSync('bash', ['--version']).status === 0

describe.skipIf(!hasBash)('completion in bash', () => {
  const complete = (answer: string, words: readonly string[]) => {
    const place = createPlace()
    place.write('here/one file.yaml', '')
    place.write('here/only.hcl', '')
    place.write('here/other.txt', '')
    place.write('answer', answer)
    place.program(
      'signalbox',
      `printf '<%s>' "$@" > ${join(place.dir, 'asked')}; cat ${join(place.dir, 'answer')}`,
    )
    place.write('script', completionScript('bash'))
    const quoted = words.map((word) => `'${word}'`).join(' ')
    const line = `source ../script; COMP_WORDS=(signalbox ${quoted}); COMP_CWORD=${words.length}; _signalbox; printf '[%s]' "\${COMPREPLY[@]}"; complete -p signalbox`
    const { stdout, stderr, status } = spawnSync('bash', ['--norc', '-c', line], {
      cwd: join(place.dir, 'here'),
      env: { PATH: `${place.searchPath}:/usr/bin:/bin` },
      encoding: 'utf8',
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    return { offered: stdout, asked: readFileSync(join(place.dir, 'asked'), 'utf8') }
  }

  it('asks with the words so far, and offers what it is told, without what it is for', () => {
    const { offered, asked } = complete('check\tprove it\nchart\n', ['decision', 'a b', 'ch'])
    expect(asked).toBe('<complete><--><decision><a b><ch>')
    expect(offered).toBe('[check][chart]complete -F _signalbox signalbox\n')
  })

  it('asks with an empty word where nothing is typed', () => {
    expect(complete('', ['show', '']).asked).toBe('<complete><--><show><>')
  })

  it('offers files, with spaces in their names', () => {
    const { offered } = complete(':files\n', ['check', 'on'])
    expect(offered).toMatch(/^(\[one file\.yaml\]\[only\.hcl\]|\[only\.hcl\]\[one file\.yaml\])complete/)
  })
})

const hasFish = spawnSync('fish', ['--version']).status === 0

describe.skipIf(!hasFish)('completion in fish', () => {
  const complete = (answer: string, line: string): string => {
    const place = createPlace()
    place.write('here/one file.yaml', '')
    place.write('answer', answer)
    place.program('signalbox', `cat ${join(place.dir, 'answer')}`)
    place.write('script', completionScript('fish'))
    const { stdout } = spawnSync('fish', ['--no-config', '-c', `source ../script; complete -C'${line}'`], {
      cwd: join(place.dir, 'here'),
      env: { PATH: `${place.searchPath}:/usr/bin:/bin`, HOME: place.dir },
      encoding: 'utf8',
    })
    return stdout
  }

  it('offers what it is told, with what it is for', () => {
    expect(complete('check\tprove it\n', 'signalbox ch')).toBe('check\tprove it\n')
  })

  it.each([
    ['signalbox check on', 'one file.yaml'],
    ['signalbox check one\\\\ f', 'one file.yaml'],
    ['signalbox rehearse --scenario=on', '--scenario=one file.yaml'],
  ])('offers files for %s', (line, file) => {
    expect(complete(':files\n', line).trim()).toBe(file)
  })
})

describe('a completion script', () => {
  it.each(SHELLS)('for %s says how to switch it on, and asks the command', (shell) => {
    const script = completionScript(shell)
    expect(script).toContain(`signalbox completion ${shell}`)
    expect(script).toContain('signalbox complete -- ')
    expect(script).toContain("':files'")
    expect(script).not.toContain('undefined')
  })

  const installed = SHELLS.filter((shell) => spawnSync(shell, ['--version']).status === 0)

  it.each(installed)('for %s is understood by it', (shell) => {
    const place = createPlace()
    const file = place.write('script', completionScript(shell))
    expect(spawnSync(shell, ['-n', file], { encoding: 'utf8' })).toMatchObject({ status: 0, stderr: '' })
  })
})
