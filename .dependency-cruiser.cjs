/** The house's borders: imports point down only, and each dependency has one home. */
const from = (area, allowed) => ({
  name: `${area}-imports-down`,
  severity: 'error',
  comment: `${area} may import only ${allowed.join(', ') || 'itself'}`,
  from: { path: `^src/${area}/`, pathNot: '\\.(test|fixture)\\.ts$' },
  to: { path: '^src/', pathNot: `^src/(${[area, ...allowed].join('|')})/` },
})

const home = (dependency, area) => ({
  name: `${dependency}-lives-in-${area}`,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/${area}/|\\.(test|fixture)\\.ts$` },
  to: { path: `^node_modules/${dependency}/` },
})

module.exports = {
  forbidden: [
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    from('model', []),
    from('runbook', ['model']),
    from('engine', ['model']),
    from('attention', ['engine', 'model']),
    from('rehearsal', ['runbook', 'engine', 'model']),
    from('journal', ['model']),
    from('drivers', ['model']),
    from('host', ['journal', 'drivers', 'runbook', 'attention', 'engine', 'model']),
    from('mcp', ['host', 'engine', 'model']),
    from('http', ['host', 'engine', 'model']),
    home('yaml', 'runbook'),
    home('@photostructure/sqlite', 'journal/sqlite'),
    home('@agentclientprotocol/sdk', 'drivers'),
    home('@modelcontextprotocol/server', 'mcp'),
    home('hono', 'http'),
    home('@hono/node-server', 'http'),
    home('commander', 'cli'),
    home('jiti', 'cli'),
    home('@noble/hashes', 'model'),
    home('zod', 'model/api'),
    {
      name: 'pure-areas-touch-no-node',
      severity: 'error',
      from: { path: '^src/(model|runbook|engine|attention|rehearsal)/', pathNot: '\\.(test|fixture)\\.ts$' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.(test|fixture)\\.ts$' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'] },
    },
    {
      name: 'no-test-in-the-product',
      severity: 'error',
      from: { path: '^src/', pathNot: '\\.(test|fixture)\\.ts$' },
      to: { path: '\\.(test|fixture)\\.ts$' },
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
