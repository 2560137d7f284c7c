/**
 * Has a session work with the model that is wanted: by the option the agent offers for it, or by the older list of models. An
 * agent that does not offer it is not started with another: whoever named one meant it.
 */
import { methods } from '@agentclientprotocol/sdk'
import type { Opened } from '../driver.ts'
import { errorText } from '../error-meaning.ts'
import type { AgentLink } from './link.ts'
import { list, record, string } from './session-update.ts'

export interface WantedModel {
  readonly model: string
  readonly program: string
  readonly sessionId: string
  /** What the agent answered when the session began. */
  readonly begun: object
}

type Trouble = Exclude<Opened, { session: unknown }>

/** Null: it works with it now. */
export async function chooseModel(ask: AgentLink['ask'], wanted: WantedModel): Promise<Trouble | null> {
  const { model, program, sessionId } = wanted
  const offers = offersIn(record(wanted.begun))
  const found = offers.find(({ id, name }) => id === model || name === model)
  if (found === undefined) return { trouble: 'failed', detail: notOffered(wanted, offers) }
  if (found.isCurrent) return null
  const answer =
    found.option === null
      ? // Not in the stable protocol any more, and the only way with those that came before it.
        await ask(
          'session/set_model' as typeof methods.agent.session.setConfigOption,
          {
            sessionId,
            modelId: found.id,
          } as never,
        )
      : await ask(methods.agent.session.setConfigOption, {
          sessionId,
          configId: found.option,
          value: found.id,
        } as never)
  if (answer.kind === 'answer') return null
  const why = answer.kind === 'refused' ? errorText(answer.error) : 'it ended'
  return { trouble: 'failed', detail: `${program} did not take the model "${model}": ${why}` }
}

interface OfferedModel {
  readonly id: string
  readonly name: string
  readonly isCurrent: boolean
  /** The option it is a value of; null: it stands in the older list. */
  readonly option: string | null
}

function offersIn(begun: Readonly<Record<string, unknown>>): readonly OfferedModel[] {
  const options = list(begun['configOptions'])
    .map(record)
    .filter(({ category }) => category === 'model')
  const byOption = options.flatMap(({ id, currentValue, options: values }) =>
    list(values)
      .map(record)
      // Values may stand in groups.
      .flatMap((value) => (Array.isArray(value['options']) ? list(value['options']).map(record) : [value]))
      .map(({ value, name }) => offer({ id: value, name, current: currentValue, option: string(id) })),
  )
  if (byOption.length > 0) return byOption
  const { availableModels, currentModelId } = record(begun['models'])
  return list(availableModels)
    .map(record)
    .map(({ modelId, name }) => offer({ id: modelId, name, current: currentModelId, option: null }))
}

const offer = (told: {
  readonly id: unknown
  readonly name: unknown
  readonly current: unknown
  readonly option: string | null
}): OfferedModel => ({
  id: string(told.id) ?? '',
  name: string(told.name) ?? '',
  isCurrent: told.id === told.current,
  option: told.option,
})

const MOST_NAMES = 20

function notOffered({ model, program }: WantedModel, offers: readonly OfferedModel[]): string {
  if (offers.length === 0)
    return `${program} cannot be told to work with the model "${model}": it offers no choice. Set it up in the program itself, and leave \`model\` out.`
  const names = offers.slice(0, MOST_NAMES).map(({ id }) => id)
  const more = offers.length > MOST_NAMES ? ` and ${offers.length - MOST_NAMES} more` : ''
  return `${program} does not offer the model "${model}". It offers: ${names.join(', ')}${more}.`
}
