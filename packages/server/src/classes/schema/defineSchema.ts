import type { SchemaFile } from './SchemaFile.ts'

/**
 * Types the schema file, which `countersign schema apply` brings the database to.
 *
 * @example
 * import { defineSchema } from 'countersign'
 * export default defineSchema({
 *   Game: {
 *     fields: { title: { type: 'String', required: true }, owner: { type: 'Pointer', targetClass: '_User' } },
 *     indexes: { byTitle: { title: 1, unique: true } },
 *   },
 * })
 */
export function defineSchema(schema: SchemaFile): SchemaFile {
  return schema
}
