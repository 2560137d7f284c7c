const swc = require('@swc/core')

// It reads every page as TypeScript without JSX, where a cast may stand in pointed brackets.
const { parseFileSync } = swc
swc.parseFileSync = (file, options) => parseFileSync(file, { ...options, tsx: file.endsWith('.tsx') })

/** The house's borders: imports point down only, and each dependency has one home. */
const from = (area, allowed) => ({
  name: `${area}-imports-down`,
  severity: 'error',
  comment: `${area} may import only ${allowed.join(', ') || 'itself'}`,
  from: { path: `^src/${area}/`, pathNot: '\\.(test|fixture)\\.tsx?$' },
  to: { path: '^src/', pathNot: `^src/(${[area, ...allowed].join('|')})/` },
})

const PURE = ['model', 'runbook', 'engine', 'attention', 'rehearsal']

const inWeb = (room, allowed) => ({
  name: `web-${room}-imports-down`,
  severity: 'error',
  from: { path: `^src/web/${room}/` },
  to: { path: '^src/web/', pathNot: `^src/web/(${[room, ...allowed].join('|')})/` },
})

const home = (dependency, area) => ({
  name: `${dependency}-lives-in-${area}`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/${area}/|\\.(test|fixture)\\.tsx?$` },
  to: { path: `^node_modules/${dependency}/` },
})

/** Rooms that handle paths which a repository, an issue branch or a runbook names. */
const NAMED_FILES = '^src/(cli/(project|runbooks)|host/(inside|issue|project|repository|tracker)|http|mcp)/'

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    from('model', []),
    from('runbook', ['model']),
    from('engine', ['model']),
    from('attention', ['engine', 'model']),
    from('rehearsal', ['runbook', 'engine', 'model']),
    from('tracker', ['model']),
    from('journal', ['model']),
    from('drivers', ['model']),
    from('host', ['journal', 'drivers', 'runbook', 'attention', 'engine', 'tracker', 'model']),
    from('mcp', ['host', 'engine', 'model']),
    from('http', ['host', 'engine', 'model']),
    from('web', PURE),
    {
      name: 'nobody-imports-web',
      severity: 'error',
      comment: 'it is built apart, for browsers',
      from: { path: '^src/', pathNot: '^src/web/' },
      to: { path: '^src/web/' },
    },
    inWeb('ui', []),
    inWeb('live', []),
    inWeb('action', ['ui']),
    {
      name: 'web-screens-stand-alone',
      severity: 'error',
      comment:
        'a screen imports itself, ui, live, action and course (what people do with runs): never another screen, and not the app around it',
      from: { path: '^src/web/(?!app/|ui/|live/|action/)([^/]+)/' },
      to: { path: '^src/web/', pathNot: '^src/web/($1|ui|live|action|course)/' },
    },
    home('yaml', 'runbook'),
    home('@photostructure/sqlite', 'journal/sqlite'),
    home('@agentclientprotocol/sdk', 'drivers'),
    home('@modelcontextprotocol/server', 'mcp'),
    home('hono', 'http'),
    home('eventsource-parser', 'web/live'),
    home('@hono/node-server', 'http'),
    home('commander', 'cli'),
    home('jiti', 'cli'),
    home('@noble/hashes', 'model'),
    home('zod', 'model/api'),
    {
      name: 'pure-areas-touch-no-node',
      severity: 'error',
      from: {
        path: '^src/(model|runbook|engine|attention|rehearsal|tracker|web)/',
        pathNot: '\\.(test|fixture)\\.tsx?$',
      },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      comment: 'web may: what it needs is in its bundle',
      from: { path: '^src/', pathNot: '^src/web/|\\.(test|fixture)\\.tsx?$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'] },
    },
    {
      name: 'no-test-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.(test|fixture)\\.tsx?$' },
      to: { path: '\\.(test|fixture)\\.tsx?$' },
    },
    {
      name: 'named-files-have-one-reader',
      severity: 'error',
      comment:
        'a repository may name the file: src/host/inside reads and writes it (docs/decisions/046). Biome has the rest of this rule',
      from: { path: NAMED_FILES, pathNot: '\\.(test|fixture)\\.tsx?$' },
      to: { path: '^src/cli/files\\.ts$' },
    },
    {
      name: 'named-files-by-no-dynamic-import',
      severity: 'error',
      from: { path: NAMED_FILES, pathNot: '\\.(test|fixture)\\.tsx?$' },
      to: { path: '^(node:)?fs', dynamic: true },
    },
    { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    parser: 'swc',
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types', 'node'] },
  },
}
