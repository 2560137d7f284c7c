/**
 * The files that say what a command runs, as far as its words show: `npm test` runs what package.json says. A guess on the safe
 * side of well known tools. What those files lead to, such as the tests themselves or a script that a script calls, is not known.
 */

/** From the root of the repository. Some may not be there. */
export function gateFiles(command: string): string[] {
  const found = new Set<string>()
  let folder = ''
  for (const words of simpleCommands(command)) {
    const [program = '', ...rest] = withoutWrappers(words)
    if (program === 'cd') folder = inFolder(folder, rest[0] ?? '')
    else for (const file of filesOf(program, rest)) found.add(inFolder(folder, file))
  }
  return [...found].filter((file) => file !== '' && !file.startsWith('/') && !file.startsWith('../')).sort()
}

/** Whether a file is one of them, in any package of the repository. */
export function isGateFile(file: string, files: readonly string[]): boolean {
  const name = nameOf(file)
  return files.some((each) => each === file || (!each.includes('/') && each === name))
}

const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1)

function inFolder(folder: string, path: string): string {
  if (path.startsWith('/')) return path
  const parts: string[] = []
  for (const part of `${folder}/${path}`.split('/'))
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  return parts.join('/')
}

/** What the shell makes of it, without what it looks up. */
function simpleCommands(command: string): string[][] {
  const commands: string[][] = [[]]
  const token = /\s*(?:([;&|\n()]+)|((?:"(?:\\.|[^"])*"|'[^']*'|\\.|[^\s;&|()"'\\])+))/gy
  for (const [, end, word] of command.matchAll(token))
    if (end !== undefined) commands.push([])
    else if (word !== undefined) commands.at(-1)?.push(word.replaceAll(/["']|\\(?=.)/g, ''))
  return commands.filter((words) => words.length > 0)
}

const WRAPPERS =
  /^(?:env|time|nice|exec|command|sudo|then|do|if|while|!|\{|npx|bunx|pnpx|corepack|xvfb-run|uvx|dotenv|cross-env)$/
const ASSIGNMENT = /^\w+=/
/** Programs that run another one by their second word. */
const RUNNERS =
  /^(?:(?:uv|poetry|pipenv|hatch|pdm|rye) run|bundle exec|(?:pnpm|yarn|npm|bun) (?:exec|dlx|x)|mise exec) /

function withoutWrappers(words: readonly string[]): readonly string[] {
  let rest = words
  for (;;) {
    const [first = '', second = ''] = rest
    if (WRAPPERS.test(first) || ASSIGNMENT.test(first)) rest = rest.slice(1)
    else if (first === 'timeout' || first === 'nice')
      rest = rest.slice(1).filter((word) => !/^-|^\d+\w?$/.test(word))
    else if (RUNNERS.test(`${first} ${second} `)) rest = rest.slice(2)
    else return rest
    while (rest[0]?.startsWith('-') === true) rest = rest.slice(1)
  }
}

const CONFIGS = ['ts', 'mts', 'cts', 'js', 'mjs', 'cjs']
const configs = (...names: readonly string[]): string[] =>
  names.flatMap((name) => CONFIGS.map((end) => `${name}.config.${end}`))
const PYTHON = ['pyproject.toml', 'pytest.ini', 'tox.ini', 'setup.cfg', 'conftest.py', 'noxfile.py']
const GRADLE = [
  'build.gradle',
  'build.gradle.kts',
  'settings.gradle',
  'settings.gradle.kts',
  'gradle.properties',
]

const TOOLS: Readonly<Record<string, readonly string[]>> = {
  npm: ['package.json', '.npmrc'],
  pnpm: ['package.json', '.npmrc', 'pnpm-workspace.yaml'],
  yarn: ['package.json', '.yarnrc.yml', '.yarnrc'],
  bun: ['package.json', 'bunfig.toml'],
  deno: ['deno.json', 'deno.jsonc'],
  vitest: ['package.json', ...configs('vitest', 'vite')],
  jest: ['package.json', 'jest.config.json', ...configs('jest')],
  mocha: ['package.json', '.mocharc.json', '.mocharc.yml', '.mocharc.js', '.mocharc.cjs'],
  playwright: configs('playwright'),
  tsc: ['tsconfig.json'],
  eslint: configs('eslint'),
  biome: ['biome.json', 'biome.jsonc'],
  turbo: ['package.json', 'turbo.json'],
  nx: ['package.json', 'nx.json'],
  make: ['Makefile', 'makefile', 'GNUmakefile'],
  gmake: ['Makefile', 'makefile', 'GNUmakefile'],
  just: ['justfile', 'Justfile', '.justfile'],
  task: ['Taskfile.yml', 'Taskfile.yaml'],
  rake: ['Rakefile'],
  rspec: ['.rspec', 'Gemfile'],
  ctest: ['CMakeLists.txt'],
  cmake: ['CMakeLists.txt', 'CMakePresets.json'],
  ninja: ['build.ninja'],
  cargo: ['Cargo.toml', 'build.rs', '.cargo/config.toml'],
  go: ['go.mod', 'go.work'],
  gradle: GRADLE,
  gradlew: [...GRADLE, 'gradle/wrapper/gradle-wrapper.properties'],
  mvn: ['pom.xml', '.mvn/jvm.config', '.mvn/maven.config'],
  mvnw: ['pom.xml', '.mvn/wrapper/maven-wrapper.properties'],
  pytest: PYTHON,
  tox: PYTHON,
  nox: PYTHON,
  dotnet: ['Directory.Build.props', 'Directory.Build.targets', 'global.json'],
  composer: ['composer.json'],
  phpunit: ['phpunit.xml', 'phpunit.xml.dist'],
  mix: ['mix.exs'],
  sbt: ['build.sbt'],
  swift: ['Package.swift'],
  bazel: ['MODULE.bazel', 'WORKSPACE', '.bazelrc'],
}

const INTERPRETERS =
  /^(?:(?:ba|da|z|k)?sh|node|tsx|ts-node|python[\d.]*|ruby|perl|php|deno|bun|source|\.|Rscript|lua)$/
/** Options whose next word is a file of commands. */
const FILE_OPTION = /^(?:-f|--file|--makefile|--config|-c|--rcfile)$/

function filesOf(program: string, rest: readonly string[]): readonly string[] {
  const name = nameOf(program)
  const own = program.includes('/') ? [program] : []
  const named = rest
    .flatMap((word, nth) => (FILE_OPTION.test(word) ? (rest[nth + 1] ?? []) : []))
    .filter(isPath)
  const tool = Object.hasOwn(TOOLS, name) ? TOOLS[name]! : []
  return [
    ...own,
    ...tool,
    ...(tool.length > 0 ? named : []),
    ...(INTERPRETERS.test(name) ? scriptOf(rest) : []),
  ]
}

/** The script that an interpreter is given, or its module's settings. */
function scriptOf(rest: readonly string[]): readonly string[] {
  const module = rest[rest.indexOf('-m') + 1]
  if (rest.includes('-m'))
    return module !== undefined && Object.hasOwn(TOOLS, module) ? TOOLS[module]! : PYTHON
  const script = rest.find((word) => !word.startsWith('-') && word !== 'run')
  return script !== undefined && !rest.includes('-c') && !rest.includes('-e') && isPath(script)
    ? [script]
    : []
}

const isPath = (word: string): boolean => /^[\w./@+-]+$/.test(word)
