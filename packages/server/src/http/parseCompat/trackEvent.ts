import { z } from 'zod'
import type { Endpoint } from '../../endpoint/Endpoint.ts'

/** Of the older clients. */
const event = z.object({ eventName: z.string().max(200) })

export const trackEventEndpoint: Endpoint = {
  name: 'trackEvent',
  method: 'POST',
  path: '/events/:eventName',
  summary: 'Accept and discard an analytics event of legacy clients.',
  session: 'tolerated',
  params: event,
  input: z.looseObject({}),
  output: z.strictObject({}),
  handle: async () => ({}),
}
