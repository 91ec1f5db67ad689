import { z } from 'zod'
import type { Endpoint } from '../../endpoint/Endpoint.ts'

/** Of the older clients. */
const event = z.object({ eventName: z.string().max(200) })

export const trackEventEndpoint: Endpoint = {
  name: 'trackEvent',
  method: 'POST',
  path: '/events/:eventName',
  summary: 'Accepts an analytics event of the older clients, and keeps nothing of it.',
  session: 'tolerated',
  params: event,
  input: z.looseObject({}),
  output: z.strictObject({}),
  handle: async () => ({}),
}
