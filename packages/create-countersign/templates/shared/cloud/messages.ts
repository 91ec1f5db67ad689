import { defineFunction, z } from 'countersign'

/** Number of messages, in total and by the calling user. */
export const countMessages = defineFunction({
  input: z.object({}),
  output: z.object({ all: z.number(), own: z.number() }),
  async handle({ objects, user }) {
    const all = await objects.count('Message')
    const own = user ? await objects.count('Message', { where: { author: user } }) : 0
    return { all, own }
  },
})
