import type { WireFields, WireValue } from '@countersign/protocol'
import { decodeObject, decodeValue } from './decodeValue.ts'
import { encodeFields, encodeValue } from './encodeValue.ts'
import type { CodeFields, CodeObject, ObjectQuery, Objects } from './Objects.ts'

/** Carries out a step on documents, in values of the wire: in this process, or from another. */
export type ObjectStep =
  | { method: 'find'; className: string; input: WireFields }
  | { method: 'get'; className: string; objectId: string; input: WireFields }
  | { method: 'create'; className: string; input: WireFields }
  | { method: 'update'; className: string; objectId: string; input: WireFields }
  | { method: 'delete'; className: string; objectId: string }

/** What code calls, over whatever carries its steps out. */
export function createObjects(carryOut: (step: ObjectStep) => Promise<WireFields>): Objects {
  const step = (asked: ObjectStep): Promise<WireFields> => {
    const answer = carryOut(asked)
    // Code that forgets to wait for it must not end the process when it fails.
    answer.catch(() => {})
    return answer
  }

  const find = async <Fields extends object>(className: string, query: ObjectQuery = {}) => {
    const { results, className: found = className } = await step({
      method: 'find',
      className,
      input: writeQuery(query),
    })
    return (results as WireFields[]).map((record) => decodeObject<Fields>(found as string, record))
  }
  return {
    find,
    async first<Fields extends object>(className: string, query: ObjectQuery = {}) {
      return (await find<Fields>(className, { ...query, limit: 1 }))[0]
    },
    async count(className, { where } = {}) {
      const input = { ...writeQuery({ ...(where && { where }), limit: 0 }), count: 1 }
      return (await step({ method: 'find', className, input })).count as number
    },
    async get<Fields extends object>(className: string, objectId: string, selection: ObjectQuery = {}) {
      const input = writeQuery(selection)
      return decodeObject<Fields>(className, await step({ method: 'get', className, objectId, input }))
    },
    async create(className, fields) {
      const input = encodeFields(fields, 'stored')
      const made = await step({ method: 'create', className, input })
      return decodeObject(className, { ...input, updatedAt: made.createdAt as WireValue, ...made }) as CodeObject
    },
    async update(className, objectId, changes: CodeFields) {
      const { updatedAt, ...echoed } = await step({
        method: 'update',
        className,
        objectId,
        input: encodeFields(changes, 'stored'),
      })
      return { ...(decodeValue(echoed) as object), updatedAt: new Date(updatedAt as string) }
    },
    async delete(className, objectId) {
      await step({ method: 'delete', className, objectId })
    },
  }
}

function writeQuery({ where, order, include, keys, excludeKeys, limit, skip }: ObjectQuery): WireFields {
  return {
    ...(where && { where: encodeValue(where, 'stored', 'where') }),
    ...(order && { order: order.join() }),
    ...(include && { include: include.join() }),
    ...(keys && { keys: keys.join() }),
    ...(excludeKeys && { excludeKeys: excludeKeys.join() }),
    ...(limit !== undefined && { limit }),
    ...(skip !== undefined && { skip }),
  }
}
