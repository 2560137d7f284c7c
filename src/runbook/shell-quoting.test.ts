/** Values as hostile as they come, through real shells: what is looked up arrives whole, and never runs. */
import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { renderCommand } from '../model/template.ts'
import { parseCommand } from './interpolation.ts'

/** `sh` is a dash on some machines and a bash on others, and a command must be safe in both. */
const SHELLS = ['sh', 'bash'].filter((shell) => spawnSync(shell, ['-c', ':']).status === 0)

const PIECES = [
  ...[
    "'",
    '"',
    '`',
    '\\',
    '$',
    '$(',
    '(',
    ')',
    '((',
    '))',
    '${',
    '}',
    "$'",
    "'\\''",
    '\\\n',
    '\n',
    '\r\n',
    ' ',
    '\t',
  ],
  ...[
    ';',
    '&&',
    '|',
    '&',
    '<',
    '>',
    '<<EOF',
    '\nEOF\n',
    '#',
    ' #',
    '!',
    '*',
    '?',
    '[a-z]',
    '~',
    '{a,b}',
    '%s',
    '\\0',
  ],
  ...[
    '-',
    '--',
    '-rf',
    '=',
    'x=1',
    '$(echo run)',
    '`echo run`',
    '$HOME',
    '${HOME}',
    '$((1+1))',
    '; exit 1;',
    'é',
    '😀',
    '\u2028',
  ],
]

const hostile = fc.oneof(
  fc.constant(''),
  fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 8 }).map((pieces) => pieces.join('')),
  fc.string({ unit: 'binary', maxLength: 20 }),
)

describe.each(SHELLS)('a command of the project, in %s', (shell) => {
  const ran = (command: string, value: string) => {
    const { template, problems } = parseCommand(command)
    expect(problems).toEqual([])
    const { stdout, status } = spawnSync(shell, ['-c', renderCommand(template, () => value)], {
      encoding: 'utf8',
    })
    return `${status} ${stdout}`
  }

  it.each([
    ['${run.test}', "echo 'it''s' \"$((1+1))\"", '0 its 2\n'],
    ['${run.test} && echo passed', 'exit 3', '3 '],
    ['${run.test}; echo after', 'echo one; exit 3', '0 one\nafter\n'],
    ['X=1 ${run.test} | tr a-z A-Z', 'echo x$X', '0 X1\n'],
    ['if ${run.lint}; then echo yes; else echo no; fi', 'false || false', '0 no\n'],
    ['echo ${run.test}', 'echo $HOME; false', '0 echo $HOME; false\n'],
    ['sh -c ${run.test}', 'echo a b', '0 a b\n'],
    ['echo "runs ${run.test}."', 'a \'b\' "c"', '0 runs a \'b\' "c".\n'],
  ])('[L21] %s of %j', (command, value, expected) => {
    expect(ran(command, value)).toBe(expected)
  })

  it('[L21] cannot reach beyond itself beside others, however it is quoted', () => {
    fc.assert(
      fc.property(hostile, (value) => {
        const { template } = parseCommand('${run.test} >&2; echo "<$?>" >/dev/null; echo after')
        const command = renderCommand(template, () => `exit 0\n${value}`)
        expect(spawnSync(shell, ['-c', command], { encoding: 'utf8' }).stdout).toBe('after\n')
      }),
      { numRuns: 40 },
    )
  })
})

/** A command that hands one word to `argv`, and the word that must arrive. Two look-ups are two times the value. */
const POSITIONS: readonly (readonly [command: string, word: (value: string) => string])[] = [
  ['argv ${var.v}', (v) => v],
  ['argv pre-${var.v}-post', (v) => `pre-${v}-post`],
  ['argv ${var.v}${var.v}', (v) => v + v],
  ["argv '${var.v}'", (v) => v],
  ["argv 'a ${var.v} b'", (v) => `a ${v} b`],
  ["argv '\\${var.v}\\'", (v) => `\\${v}\\`],
  ['argv "${var.v}"', (v) => v],
  ['argv "a ${var.v} b"', (v) => `a ${v} b`],
  ['argv "it\'s ${var.v}, isn\'t it"', (v) => `it's ${v}, isn't it`],
  ['argv "${var.v}"\'${var.v}\'${var.v}', (v) => v + v + v],
  ['argv a#${var.v}', (v) => `a#${v}`],
  ['x=${var.v}; argv "$x"', (v) => v],
  ['x="${var.v}" && (argv "$x") # and no more', (v) => v],
  ['if true; then argv ${var.v}; fi', (v) => v],
  ['case ${var.v} in *) argv ${var.v};; esac', (v) => v],
  // A substitution drops newlines at its end, so a full stop stands there.
  ['argv "$(printf %s. ${var.v})"', (v) => `${v}.`],
  ['argv "$(printf %s. "${var.v}")"', (v) => `${v}.`],
  ['argv "$(printf %s. \'${var.v}\')"', (v) => `${v}.`],
  ['argv "$(printf %s. "$(printf %s. ${var.v})")"', (v) => `${v}..`],
  ['argv "a $(printf %s. "b ${var.v} c") d ${var.v}"', (v) => `a b ${v} c. d ${v}`],
]

/** What is read from such a text is never more than its words: a count, then each of them. */
const ARGV = `argv() { printf '%s\\0' "$#" "$@"; }\n`

const rendered = (command: string, value: string): string => {
  const { template, problems } = parseCommand(command)
  expect(problems).toEqual([])
  return renderCommand(template, () => value)
}

describe.each(SHELLS)('in %s', (shell) => {
  it('[L6] a value arrives as part of exactly one word, wherever it stands', () => {
    fc.assert(
      fc.property(fc.array(hostile, { minLength: 20, maxLength: 20 }), (values) => {
        const cases = values.flatMap((value) =>
          POSITIONS.map(([command, word]) => ({ command, value, word })),
        )
        const script = cases.map(({ command, value }) => rendered(command, value)).join('\n')
        const { stdout, stderr } = spawnSync(shell, { input: ARGV + script, encoding: 'utf8' })
        const expected = cases.flatMap(({ value, word }) => ['1', word(value.replaceAll('\0', ''))])
        expect({ words: stdout.split('\0').slice(0, -1), stderr }).toEqual({ words: expected, stderr: '' })
      }),
      { numRuns: 5 },
    )
  })
})

describe('a look-up is refused', () => {
  it.each([
    ['echo `tracker ${var.v}`', 'inside backticks'],
    ['echo "`tracker ${var.v}`"', 'inside backticks'],
    ['echo $((1 + ${var.v}))', 'inside $((…))'],
    ['echo "$((1 + ${var.v}))"', 'inside $((…))'],
    ['echo $${x:-${var.v}}', "inside the shell's own ${…}"],
    ['echo "$${x:-${var.v}}"', "inside the shell's own ${…}"],
    ['npm test # ${var.v}', 'in a comment'],
    ['# a\n# ${var.v}', 'in a comment'],
    ['echo "$(true # ${var.v}\n)"', 'in a comment'],
    ['echo \\${var.v}', 'after a backslash'],
    ['echo "\\${var.v}"', 'after a backslash'],
    ['cat <<EOF\n${var.v}\nEOF', 'after a here-document'],
    ["cat <<'EOF'\n${var.v}\nEOF", 'after a here-document'],
    ['cat <<-EOF\n\t${var.v}\n\tEOF', 'after a here-document'],
    ['cat <<EOF\nx\nEOF\necho ${var.v}', 'after a here-document'],
    ['cat <<<${var.v}', 'after a here-document'],
    ["echo $'a' ${var.v}", "after $'…', which shells read differently"],
    ['echo `date "+%F"` ${var.v}', 'after backticks that hold quotes or expansions'],
    ['echo $${x:-"a"} ${var.v}', 'after a ${…} of the shell that holds quotes or expansions'],
    ['echo $(("1" + 2)) ${var.v}', 'after $((…)) that holds quotes'],
  ])('[L6] in %j: it stands %s', (command, where) => {
    const { template, problems } = parseCommand(command)
    expect(problems).toHaveLength(1)
    expect(problems[0]!.code).toBe('unsafe-interpolation')
    expect(problems[0]!.message).toContain(`\${var.v} stands ${where}`)
    expect(template.filter((part) => typeof part !== 'string')).toEqual([])
  })
})

/** Each of these shows its mark only where a shell ran it: as text, the two halves stand apart. */
const MARKS = [
  '$(printf %s%s MA RK >&2)',
  '\nprintf %s%s MA RK >&2\n',
  '; printf %s%s MA RK >&2;',
  "'; printf %s%s MA RK >&2; '",
  '"; printf %s%s MA RK >&2; "',
]

/** Where it is easy to lose count of what is open. Refused or quoted, a value must not run. */
describe('a value never runs', () => {
  it.each([
    'echo $${x} "${var.v}"',
    'echo "`date`" "${var.v}"',
    'echo "$(echo a # )\n)" "${var.v}"',
    'echo "$(f() { echo a; }; f)" "${var.v}"',
    'echo $((1 + 2)) "${var.v}"',
    'echo $((1 << 2)) "${var.v}"',
    'echo "x"# "${var.v}"',
    '(echo a)# "\necho ${var.v} #"',
    'case a in (a) echo "${var.v}";; esac',
    'case a in a) echo "${var.v}";; esac',
    'echo $"${var.v}"',
    'echo "$\'${var.v}\'"',
    'echo "$(case a in (a) echo ${var.v};; esac)"',
    'echo "$(case a in a) echo ${var.v};; esac)"',
    'echo $(( (1+(2)) + ${var.v} ))',
    'echo $(( $(echo $(echo 1)) + ${var.v} ))',
    '(( ${var.v} ))',
    'echo $[ 1 + ${var.v} ]',
    'echo "$$(echo ${var.v})"',
    'echo $(echo a)# "\n${var.v} "',
    'echo \\\n# ${var.v}',
    'echo "$\\\n(echo ${var.v})"',
    'echo $(\\\n( 1 + ${var.v} ))',
    'cat <\\\n<EOF\n${var.v}\nEOF\n',
    'echo ${var.v}\\\n# "\n${var.v} "',
    'echo "$(ca\\\nse a in a) echo ${var.v};; esac)"',
    '# was: a \\\necho "two\n${var.v} lines"',
    '((cat <<E))\n${var.v}\nE\n',
    'cat <(echo a)# "\n${var.v} "',
    'a=(1)# "\n${var.v} "',
    '[[ a =~ ^(a|b)# ]] && echo "\n${var.v}"',
    'echo a\r#b "\n ${var.v} "',
    'echo a\u00a0#b "\n ${var.v} "',
  ])('[L6] in %j', (command) => {
    const { template, problems } = parseCommand(command)
    if (problems.length > 0) return
    const ran = SHELLS.filter((shell) => {
      const runs = MARKS.map((value) =>
        rendered(
          `${shell} -c \${var.v} </dev/null`,
          renderCommand(template, () => value),
        ),
      )
      return spawnSync(shell, { input: runs.join('\n'), encoding: 'utf8' }).stderr.includes('MARK')
    })
    expect(ran).toEqual([])
  })
})
