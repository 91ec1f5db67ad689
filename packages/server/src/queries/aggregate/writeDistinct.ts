import type { ClassSchema } from '../../classes/ClassSchema.ts'
import type { Asking } from '../Asking.ts'
import { invalid, isObject } from './invalid.ts'
import { writePipeline } from './writePipeline.ts'

/** The distinct values of a field, with what lies in lists taken one by one. */
export function writeDistinct(asking: Asking, schema: ClassSchema, field: unknown, where: unknown) {
  if (typeof field !== 'string' || field === '') throw invalid('distinct must be the name of a field.')
  if (where !== undefined && !isObject(where)) throw invalid('where must be an object of conditions.')
  const first = where ? [{ $match: where }] : []
  const last = { $project: { objectId: 0, value: '$_id' } }
  const type = schema.fields.get(field)?.type
  // Where a column holds one plain value there is nothing to take apart.
  if (type === 'String' || type === 'Number' || type === 'Boolean' || type === 'Date') {
    return writePipeline(asking, schema, [
      ...first,
      { $group: { _id: `$${field}` } },
      { $match: { _id: { $ne: null } } },
      last,
    ])
  }
  return writePipeline(asking, schema, [
    ...first,
    { $project: { objectId: 0, value: `$${field}` } },
    { $unwind: '$value' },
    { $group: { _id: '$value' } },
    last,
  ])
}
