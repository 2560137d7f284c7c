/** The page that a signed link leads to. Odd queries are met with a page too, so nothing is refused before it. */
import { z } from 'zod'
import type { Routes } from './route.ts'

const ticket = z
  .string()
  .default('')
  .describe('The signature: of the decision, the person and what was shown.')
const page = { status: 200, says: 'The page.', schema: z.string(), type: 'text/html' } as const

export const ANSWER_LINK_ROUTES = {
  'GET /d/{id}': {
    name: 'lookByLink',
    says: 'A decision as a page with buttons. Changes nothing.',
    access: 'link',
    query: z.object({ t: ticket }),
    body: null,
    reply: page,
    refuses: [403, 404],
  },
  'POST /d/{id}': {
    name: 'answerByLink',
    says: 'Answers it, in the name of the person the link was made for.',
    access: 'link',
    query: z.object({
      t: ticket,
      pick: z.string().exactOptional().describe('The key of an option, for buttons of a notification.'),
    }),
    body: { schema: z.object({ pick: z.string(), note: z.string() }).partial(), sent: 'form' },
    reply: page,
    refuses: [403, 404, 409, 422],
  },
} as const satisfies Routes
