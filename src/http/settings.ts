/** What is in force on the host, for whoever may look at it. */
import type { SETTINGS_ROUTES } from '../model/api/settings.ts'
import type { Rejection } from '../model/refusal.ts'
import type { Handlers, HttpDoor } from './handler.ts'
import type { HostSettings } from './host-settings.ts'

export const SETTINGS_HANDLERS: Handlers<typeof SETTINGS_ROUTES> = {
  'GET /api/v1/settings/agents': ({ door }) => withSettings(door, (settings) => settings.agents()),
  'POST /api/v1/settings/agents/{agent}/probe': ({ door, params: { agent } }) =>
    withSettings(door, (settings) => settings.probe(agent)),
  'GET /api/v1/settings/channels': ({ door }) => withSettings(door, (settings) => settings.channels()),
  'POST /api/v1/settings/channels/{channel}/test': ({ door, params: { channel } }) =>
    withSettings(door, (settings) => settings.test(channel)),
  'GET /api/v1/settings/policies': ({ door, operations }) =>
    withSettings(door, (settings) => settings.policies(operations)),
  'POST /api/v1/settings/policies': ({ door, operations, body: { name } }) =>
    withSettings(door, (settings) => settings.ratify(name, operations)),
  'GET /api/v1/settings/sandbox': ({ door }) => withSettings(door, (settings) => settings.sandbox()),
  'GET /api/v1/settings/doctor': ({ door }) => withSettings(door, (settings) => settings.doctor()),
}

const withSettings = async <T>(
  { settings }: HttpDoor,
  look: (settings: HostSettings) => Promise<T>,
): Promise<T | Rejection> => (settings === null ? NO_SETTINGS : look(settings))

const NO_SETTINGS: Rejection = {
  code: 'not-found',
  problem: 'This host does not tell what is in force on it.',
}
