import type { LiveEventName, WireFields } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import type { HookEvent, HookHandler } from '../context/Registry.ts'
import { createTools } from './createTools.ts'
import type { HookDefinition, HookTools } from './Definition.ts'
import { decodeObject } from './decodeValue.ts'
import { encodeFields } from './encodeValue.ts'
import type { CodeObject } from './Objects.ts'
import { isOwnFailure, toRefusal } from './toRefusal.ts'
import { untilAborted } from './untilAborted.ts'
import { withTimeLimit } from './withTimeLimit.ts'

/** A hook of our own form as the server calls it: in values of the wire, and for so long only. */
export function createHookHandler(context: Context, definition: HookDefinition): HookHandler {
  const name = `${definition.on} ${definition.className ?? ''}`.trimEnd()
  return async (event) => {
    const limit = definition.timeout ?? context.config.functions.timeout
    try {
      return await withTimeLimit(limit, `The hook ${name}`, async (signal) => {
        const tools: HookTools = { ...createTools(context, name, event.caller, signal), ...readEvent(event) }
        return writeReturned(event, await untilAborted(signal, async () => definition.handle(tools)))
      })
    } catch (error) {
      if (isOwnFailure(error)) throw error
      throw toRefusal(error)
    }
  }
}

function readEvent(event: HookEvent): Omit<HookTools, keyof ReturnType<typeof createTools>> {
  const { className, caller, object, original, query = {}, objects = [], isGet = false, isCount = false } = event
  const told = event.event
  return {
    user: caller.user && decodeObject('_User', caller.user),
    // Hooks that are about no object, such as those of a question, have no use for one either.
    object: (object && decodeObject(className, object)) as CodeObject,
    original: original && decodeObject(className, original),
    query,
    found: objects.map((item) => decodeObject(className, item)),
    isGet,
    isCount,
    event: told,
  }
}

/** What is returned counts where something is still to be decided; an object that is returned is laid over. */
function writeReturned({ hook }: HookEvent, returned: unknown): Partial<HookEvent> | undefined {
  if (returned === null || typeof returned !== 'object') return undefined
  if (hook === 'afterFind') {
    return Array.isArray(returned) ? { objects: returned.map((item) => writeObject(item)) } : undefined
  }
  if (hook === 'afterLiveQueryEvent') return readEventChanges(returned)
  if (hook === 'beforeFind' || hook === 'beforeSubscribe') return { query: encodeFields(returned, 'stored') }
  return hook.startsWith('before') ? { object: writeObject(returned) } : undefined
}

/** Names of what is about to be told; anything else that is returned means nothing. */
function readEventChanges(returned: object): Partial<HookEvent> {
  const { event, sendEvent, object, original } = returned as { [name: string]: unknown }
  return {
    ...(typeof event === 'string' && { event: event as LiveEventName }),
    ...(sendEvent === false && { sendEvent }),
    ...(object !== null && typeof object === 'object' && { object: writeObject(object) }),
    ...(original !== null && typeof original === 'object' && { original: writeObject(original) }),
  }
}

/** Without what an object carries to be told from a plain one. */
function writeObject(object: object): WireFields {
  const { __type: _type, className: _name, ...fields } = object as { [name: string]: unknown }
  return encodeFields(fields, 'stored', '', 0, true)
}
