import { expect, it } from 'vitest'
import { gateFiles, isGateFile } from './gate-files.ts'

it.each<[string, readonly string[]]>([
  ['npm test', ['.npmrc', 'package.json']],
  ['cd web && CI=1 npm run test -- --run', ['web/.npmrc', 'web/package.json']],
  ['make -f build/rules.mk check', ['GNUmakefile', 'Makefile', 'build/rules.mk', 'makefile']],
  ['sh scripts/test.sh --all', ['scripts/test.sh']],
  ['./check && timeout 60 bash "ci/run.sh"', ['check', 'ci/run.sh']],
  ['python3 tools/check.py', ['tools/check.py']],
  ['! (cd a/b && ../run)', ['a/run']],
  ['cargo test --workspace', ['.cargo/config.toml', 'Cargo.toml', 'build.rs']],
  ['npx tsc -p .', ['tsconfig.json']],
  ['bundle exec rake', ['Rakefile']],
  ['test -f a.txt && grep -q x src/b.ts', []],
  [`node -e 'process.exit(1)'`, []],
  ['/usr/bin/true; sh ../outside.sh', []],
])('[C16] %s is said by its files', (command, files) => {
  expect(gateFiles(command)).toEqual(files)
})

it('[W41] knows a test runner’s settings, and a manifest in any package', () => {
  expect(gateFiles('python -m pytest -q')).toContain('pyproject.toml')
  expect(gateFiles('pnpm exec vitest run')).toContain('vitest.config.ts')
  const files = gateFiles('npm test --workspaces')
  expect(isGateFile('packages/a/package.json', files)).toBe(true)
  expect(isGateFile('package.json.txt', files)).toBe(false)
})
