import type { ClassSchema } from '../../classes/ClassSchema.ts'

/** What a piece of SQL in a pipeline yields. `json` holds whatever is not one of the others. */
export type ValueType = 'number' | 'text' | 'boolean' | 'date' | 'pointer' | 'json'

export type Value = {
  sql: string
  type: ValueType
  /** Of a pointer: the class that it leads to. */
  targetClass?: string
  /** Of json: an object of this class, so that its fields have types. */
  document?: ClassSchema
  /** Of json: known to be no list, so that a path need not look into its elements. */
  isObject?: boolean
  /** Of text `Class$id`: the pointer that it was written from. */
  pointer?: Value
  /** Stands for a field that may be missing: left out of the answer rather than null. */
  optional?: boolean
}

export const missing: Value = { sql: 'null::jsonb', type: 'json', optional: true }
