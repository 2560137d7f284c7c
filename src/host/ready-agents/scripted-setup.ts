/**
 * How an agent is set up so that its model is a scripted one: no account is used. In every text, `{home}` is a home of its own
 * and `{model}` the model's address, which serves all of `ModelWire`.
 */

/** What its model speaks. */
export type ModelWire = 'chat' | 'responses' | 'messages' | 'gemini'

export interface ScriptedSetup {
  /** Left out where nobody said: the model serves them all. */
  readonly wire?: ModelWire
  readonly args?: readonly string[]
  readonly env: Readonly<Record<string, string>>
  /** More variables for when it works without our sandbox. */
  readonly unboxed?: Readonly<Record<string, string>>
  /** Its settings, by their path in its home: a text, or what is written there as JSON. */
  readonly files?: Readonly<Record<string, string | object>>
  /** Folders of its home that must be there. */
  readonly folders?: readonly string[]
  /** A model that it asks for titles and the like. */
  readonly smallModel?: string
}
