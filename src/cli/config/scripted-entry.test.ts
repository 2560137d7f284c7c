import { expect, it } from 'vitest'
import { createPlace } from './config.fixture.ts'
import { programFor, readConfig } from './config.ts'

it('[D32] [D33] an agent says how its model fails, and how it is tried without an account', () => {
  const place = createPlace({
    user: `agents:
  mine:
    acp: my-agent
    failures: ["Error: * gave up"]
    scripted: { env: { URL: "{model}/v1" }, args: [--dry], files: { .mine/a.json: { b: 1 } }, folders: [.mine], small_model: tiny }
  claude: { failures: ["It broke down"] }
`,
  })
  const { config, diagnostics } = readConfig(place)
  expect(diagnostics).toEqual([])
  const use = programFor(config, place)
  expect(use('mine')).toMatchObject({
    driver: 'acp',
    failures: ['Error: * gave up'],
    scripted: {
      env: { URL: '{model}/v1' },
      args: ['--dry'],
      files: { '.mine/a.json': '{\n  "b": 1\n}' },
      folders: ['.mine'],
      smallModel: 'tiny',
    },
  })
  expect(use('claude')).toMatchObject({ failures: ['It broke down'], scripted: { wire: 'messages' } })
})

it.each([
  ['user', 'failures: ["Er*r"]', 'This text does not tell a failure from work.'],
  ['user', `failures: [${'"It broke down", '.repeat(21)}]`, 'There are 21 texts; 20 are taken.'],
  ['user', 'scripted: { files: { ../b: c } }', '"../b" does not lie in its home.'],
  ['user', 'scripted: { folders: [/etc] }', '"/etc" does not lie in its home.'],
  ['project', 'scripted: { env: {} }', 'A project cannot say how a program is tried on your machine.'],
] as const)('[D32] [D33] what the %s says wrongly is told: %s', (whose, entry, message) => {
  const { diagnostics } = readConfig(createPlace({ [whose]: `agents: { x: { acp: a, ${entry} } }` }))
  expect(diagnostics.map((each) => each.message)).toEqual([message])
})
