import { type FunctionDefinition, type FunctionOptions, mark } from './Definition.ts'

/**
 * A function that clients call by its name (`POST /functions/:name`). It lies in the cloud folder as an export of a file.
 *
 * @example
 * import { defineFunction, z } from 'countersign'
 *
 * export const averageStars = defineFunction({
 *   input: z.object({ movie: z.string() }),
 *   output: z.object({ average: z.number() }),
 *   async handle({ input, objects }) {
 *     const reviews = await objects.find('Review', { where: { movie: input.movie } })
 *     return { average: reviews.reduce((sum, { stars }) => sum + stars, 0) / Math.max(1, reviews.length) }
 *   },
 * })
 */
export function defineFunction<
  Input = { [name: string]: unknown },
  Output = unknown,
  const RequireUser extends boolean = false,
>(options: FunctionOptions<Input, Output, RequireUser>): FunctionDefinition {
  return { ...(options as unknown as FunctionDefinition), [mark]: 'function' }
}
