import { CountersignError, type WireFields, type WireOperation, type WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import type { TimeLimit } from '../context/Registry.ts'
import { createObject } from '../objects/createObject.ts'
import { deleteObject } from '../objects/deleteObject.ts'
import { findObjects } from '../objects/findObjects.ts'
import { getObject } from '../objects/getObject.ts'
import { updateObject } from '../objects/updateObject.ts'
import { checkWrite } from '../permissions/checkWrite.ts'
import { deleteUser } from '../users/deleteUser.ts'
import { updateUser } from '../users/updateUser.ts'
import { noteOwnFailure } from './CloudError.ts'
import type { CodeObject, CodeValue } from './CodeValue.ts'
import { decodeObject, decodeValue, encodeFields, encodeValue } from './values.ts'

export type CodeFields = { [field: string]: CodeValue | WireOperation | CodeObject }

type AnyFields = { [field: string]: unknown }

export type ObjectQuery = {
  where?: { [field: string]: unknown }
  /** The most important first; `-` before a name turns its order round. */
  order?: readonly string[]
  limit?: number
  skip?: number
  include?: readonly string[]
  keys?: readonly string[]
  excludeKeys?: readonly string[]
  /** Seconds that the result may be old: read replicas may serve it. */
  maxStaleness?: number
}

/** Reads and writes documents with the rights of someone. In a hook it joins the transaction of the write. */
export type Objects = {
  find<Fields extends object = AnyFields>(className: string, query?: ObjectQuery): Promise<CodeObject<Fields>[]>
  first<Fields extends object = AnyFields>(
    className: string,
    query?: ObjectQuery,
  ): Promise<CodeObject<Fields> | undefined>
  count(className: string, query?: Pick<ObjectQuery, 'where' | 'maxStaleness'>): Promise<number>
  /** The object, or error 101. */
  get<Fields extends object = AnyFields>(
    className: string,
    objectId: string,
    selection?: Pick<ObjectQuery, 'include' | 'keys' | 'excludeKeys' | 'maxStaleness'>,
  ): Promise<CodeObject<Fields>>
  /** Returns id and time, and fields that the server filled in. */
  create(className: string, fields: CodeFields): Promise<CodeObject>
  /** Fields to set, or operations such as `{ __op: 'Increment', amount: 1 }`. Returns the results of operations. */
  update(className: string, objectId: string, changes: CodeFields): Promise<AnyFields & { updatedAt: Date }>
  delete(className: string, objectId: string): Promise<void>
}

/** Carries out a step on documents, in values of the wire: in this process, or from another. */
export type ObjectStep =
  | { method: 'find'; className: string; input: WireFields }
  | { method: 'get'; className: string; objectId: string; input: WireFields }
  | { method: 'create'; className: string; input: WireFields }
  | { method: 'update'; className: string; objectId: string; input: WireFields }
  | { method: 'delete'; className: string; objectId: string }

/** Creates the document API for application code, over any executor of its steps. */
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
    async count(className, { where, maxStaleness } = {}) {
      const asked = { ...(where && { where }), ...(maxStaleness !== undefined && { maxStaleness }), limit: 0 }
      const input = { ...writeQuery(asked), count: 1 }
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

function writeQuery(query: ObjectQuery): WireFields {
  const { where, order, include, keys, excludeKeys, limit, skip, maxStaleness } = query
  return {
    ...(where && { where: encodeValue(where, 'stored', 'where') }),
    ...(order && { order: order.join() }),
    ...(include && { include: include.join() }),
    ...(keys && { keys: keys.join() }),
    ...(excludeKeys && { excludeKeys: excludeKeys.join() }),
    ...(limit !== undefined && { limit }),
    ...(skip !== undefined && { skip }),
    ...(maxStaleness !== undefined && { maxStaleness }),
  }
}

/** A step on documents by code of the application, with the rights of the caller, while there is time. */
export async function runObjectStep(
  context: Context,
  caller: Caller,
  limit: TimeLimit,
  step: ObjectStep,
): Promise<WireFields> {
  // A function whose caller got an error must not go on writing.
  limit.throwIfAborted()
  try {
    // A failed step in a transaction is undone alone: the code may catch the error and continue.
    return await context.db.nest(() => carryOut(context, caller, step))
  } catch (error) {
    if (!(error instanceof CountersignError)) noteOwnFailure(error)
    throw error
  }
}

async function carryOut(context: Context, caller: Caller, step: ObjectStep): Promise<WireFields> {
  const { className } = step
  const isUser = className === '_User'
  if (isUser && step.method === 'update')
    await checkWrite(context, caller, '_User', 'update', step.input, step.objectId)
  if (isUser && step.method === 'delete') await checkWrite(context, caller, '_User', 'delete', {})
  switch (step.method) {
    case 'find':
      return (await findObjects(context, caller, className, step.input)) as WireFields
    case 'get': {
      // The caller's own row echoes its token to clients; code has no use for it.
      const { sessionToken: _secret, ...object } = await getObject(
        context,
        caller,
        className,
        step.objectId,
        step.input,
      )
      return object
    }
    case 'create':
      return createObject(context, caller, className, step.input)
    case 'update':
      return isUser
        ? updateUser(context, caller, step.objectId, step.input)
        : updateObject(context, caller, className, step.objectId, step.input)
    case 'delete':
      return isUser
        ? deleteUser(context, caller, step.objectId)
        : deleteObject(context, caller, className, step.objectId)
  }
}
