/** Gemini: the model and whether it streams stand in the address. */
import type { Said } from './script.ts'
import {
  asBodies,
  asBody,
  asText,
  type ModelAnswer,
  parametersOf,
  type StreamEvent,
  textIn,
  type Wire,
} from './wire.ts'

const PATH = /^\/v1(?:beta|alpha)?\/models\/([^/:]+):(generateContent|streamGenerateContent)$/

export const gemini: Wire = {
  name: 'gemini',
  serves: (path) => PATH.test(path),
  hear: (body, path) => {
    const [, model = '', method = ''] = PATH.exec(path) ?? []
    const { responseMimeType, responseSchema, responseJsonSchema } = asBody(body['generationConfig'])
    return {
      model,
      streams: method === 'streamGenerateContent',
      conversation: asBodies(body['contents']).map(({ role, parts }): Said => {
        if (role !== 'model') return { by: 'user', text: textIn(parts) }
        return { by: 'model', toolCalls: asBodies(parts).filter((part) => 'functionCall' in part).length }
      }),
      tools: asBodies(body['tools'])
        .flatMap((tool) => asBodies(tool['functionDeclarations']))
        .map(({ name, parameters, parametersJsonSchema }) => ({
          name: asText(name),
          namespace: null,
          isFreeform: false,
          parameters: parametersOf(parametersJsonSchema ?? parameters),
        })),
      searches: null,
      wantsForm:
        responseMimeType === 'application/json' ||
        responseSchema !== undefined ||
        responseJsonSchema !== undefined,
    }
  },
  whole: (answered) => answerOf(answered),
  stream: (answered): readonly StreamEvent[] => [{ event: null, data: answerOf(answered) }],
  failure: (status, message) => ({
    error: { code: status, message, status: status === 429 ? 'RESOURCE_EXHAUSTED' : 'INTERNAL' },
  }),
}

const answerOf = (answered: ModelAnswer): object => ({
  candidates: [{ index: 0, content: { role: 'model', parts: [partOf(answered)] }, finishReason: 'STOP' }],
  modelVersion: answered.model,
  usageMetadata: {
    promptTokenCount: answered.usage.input,
    candidatesTokenCount: answered.usage.output,
    totalTokenCount: answered.usage.input + answered.usage.output,
  },
})

function partOf({ reply }: ModelAnswer): object {
  if (reply.kind === 'text') return { text: reply.text }
  const called = reply.kind === 'call' ? reply : { tool: { name: 'search' }, input: { query: reply.query } }
  return { functionCall: { name: called.tool.name, args: called.input } }
}
