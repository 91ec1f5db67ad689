import type { WireFields } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { HookHandler, RegisteredFunction } from '../../context/Registry.ts'
import { callRemote } from './callRemote.ts'
import { type RemoteCode, triggers } from './RemoteCode.ts'
import { listRemotes, remoteChannel } from './saveRemote.ts'

/** Keeps the registry at what the database says runs elsewhere. The answer ends it. */
export async function startRemoteCode(context: Context): Promise<() => Promise<void>> {
  const { db, log, registry } = context
  let functions = new Map<string, RegisteredFunction>()
  let hooks = new Map<string, HookHandler>()

  const remove = () => {
    for (const [name, item] of functions) if (registry.functions.get(name) === item) registry.functions.delete(name)
    for (const [key, item] of hooks) {
      const others = (registry.hooks.get(key) ?? []).filter((handler) => handler !== item)
      if (others.length > 0) registry.hooks.set(key, others)
      else registry.hooks.delete(key)
    }
    functions = new Map()
    hooks = new Map()
  }

  const add = (code: RemoteCode) => {
    if ('functionName' in code) {
      // Code of the server's own goes before what somebody told it later.
      if (registry.functions.has(code.functionName)) return
      const made = createRemoteFunction(context, code.url)
      functions.set(code.functionName, made)
      registry.functions.set(code.functionName, made)
      return
    }
    const className = code.triggerName.endsWith('Logout') ? '_User' : code.className
    const key = `${triggers[code.triggerName]} ${className}`
    const made = createRemoteHook(context, code)
    hooks.set(key, made)
    registry.hooks.set(key, [...(registry.hooks.get(key) ?? []), made])
  }

  let order = Promise.resolve()
  const load = async () => {
    const all = [...(await listRemotes(context, 'functions')), ...(await listRemotes(context, 'triggers'))]
    remove()
    for (const code of all) add(code)
  }
  const reload = () => {
    order = order
      .then(load)
      .catch((error) => log.error({ err: error }, 'code that runs elsewhere could not be read again'))
  }
  const unlisten = await db.listen(remoteChannel, reload, reload)
  await load()
  return async () => {
    await unlisten()
    await order
  }
}

function createRemoteFunction(context: Context, url: string): RegisteredFunction {
  return {
    run: ({ name, params, caller, signal }) => callRemote(context, url, caller, { functionName: name, params }, signal),
  }
}

function createRemoteHook(
  context: Context,
  { url, triggerName, className }: Extract<RemoteCode, { triggerName: string }>,
): HookHandler {
  const wrap = (object: WireFields) => ({ __type: 'Object', ...object, className })
  return async ({ caller, object, original, hook }) => {
    const call = {
      triggerName,
      ...(object && { object: wrap(object) }),
      ...(original && { original: wrap(original) }),
    } as WireFields
    const answer = await callRemote(context, url, caller, call, new AbortController().signal)
    const isObject = typeof answer === 'object' && answer !== null && !Array.isArray(answer)
    if (hook !== 'beforeSave' || !isObject) return undefined
    return { object: answer as WireFields }
  }
}
