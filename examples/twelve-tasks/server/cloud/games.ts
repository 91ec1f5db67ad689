import { defineFunction, z } from 'countersign'

export const averageLikes = defineFunction({
  input: z.object({ minimum: z.number() }),
  output: z.object({ average: z.number() }),
  async handle({ input: { minimum }, objects }) {
    const games = await objects.find<{ likes: number }>('Game', { where: { likes: { $gte: minimum } }, limit: 1000 })
    return { average: games.reduce((sum, { likes }) => sum + likes, 0) / (games.length || 1) }
  },
})
