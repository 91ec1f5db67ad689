import { type JobDefinition, type JobOptions, mark } from './Definition.ts'

/**
 * Work that is started by its name or by the clock, with the rights of the server.
 *
 * @example
 * import { defineJob } from 'countersign'
 *
 * export const forgetDrafts = defineJob({
 *   schedule: '0 3 * * *',
 *   async handle({ masterObjects, progress }) {
 *     const old = await masterObjects.find('Draft', { where: { updatedAt: { $lt: new Date(Date.now() - 30 * 86_400_000) } } })
 *     for (const { objectId } of old) await masterObjects.delete('Draft', objectId)
 *     await progress(`${old.length} drafts`, 1)
 *   },
 * })
 */
export function defineJob(options: JobOptions): JobDefinition {
  return { ...options, [mark]: 'job' }
}
