import { CountersignError, type WireFields } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { createObject } from '../objects/createObject.ts'
import { deleteObject } from '../objects/deleteObject.ts'
import { findObjects } from '../objects/findObjects.ts'
import { getObject } from '../objects/getObject.ts'
import { updateObject } from '../objects/updateObject.ts'
import { checkWrite } from '../permissions/checkWrite.ts'
import { deleteUser } from '../users/deleteUser.ts'
import { updateUser } from '../users/updateUser.ts'
import type { ObjectStep } from './createObjects.ts'
import { noteOwnFailure } from './toRefusal.ts'

/** A step on documents by code of the application, with the rights of the caller, while there is time. */
export async function carryOutStep(
  context: Context,
  caller: Caller,
  signal: AbortSignal,
  step: ObjectStep,
): Promise<WireFields> {
  // A function whose caller was told that it failed must not go on writing.
  signal.throwIfAborted()
  try {
    // One that fails inside a transaction is undone alone: the code may catch it and go on.
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
