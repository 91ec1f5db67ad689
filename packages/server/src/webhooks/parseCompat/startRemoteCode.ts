import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { CodeCaller, HookHandler, RegisteredFunction } from '../../context/Registry.ts'
import { postJson } from '../postJson.ts'
import { type RemoteCode, triggers } from './RemoteCode.ts'
import { listRemotes, remoteChannel } from './saveRemote.ts'

const longestAnswer = 20 * 1024 * 1024

/** Names that reach the prototype of an object: a response is as untrusted as any request. */
const forbidden = new Set(['__proto__', 'constructor', 'prototype'])

/** Keeps the registry equal to the remote code in the database. The returned function ends it. */
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
      // Code of the server's own goes before code that was registered later.
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
      .catch((error) => log.error({ err: error }, 'the list of remote code could not be refreshed'))
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
    describe: () => ({ isRemote: true }),
    run: ({ name, params, caller, limit }) =>
      callRemote(context, url, caller, { functionName: name, params }, limit.signal),
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

/** Calls remote code, as parse-server does: the call as JSON, `{ success }` or `{ error }` as the response. */
async function callRemote(
  { config, log }: Context,
  url: string,
  caller: CodeCaller,
  call: WireFields,
  signal: AbortSignal,
): Promise<WireValue | undefined> {
  const { timeout, allowPrivateAddresses } = config.webhooks
  const headers: Record<string, string> = {}
  if (config.webhookKey !== undefined) headers['X-Parse-Webhook-Key'] = config.webhookKey
  const body = JSON.stringify({ ...describeCaller(caller), ...call })
  const answer = await postJson(url, headers, body, { timeout, allowPrivateAddresses, signal, longestAnswer }).catch(
    (error) => {
      log.warn({ err: error, host: new URL(url).host }, 'remote code could not be reached')
      throw new CountersignError('ScriptFailed', 'The remote function or hook could not be reached.')
    },
  )
  const { success, error } = readAnswer(answer.text)
  if (error === undefined && answer.status < 400) return success
  throw readError(error)
}

/** Without the session: code that runs elsewhere learns who calls, and gets no means to call in their name. */
function describeCaller({ isMaster, user, installationId, ipAddress, context }: CodeCaller): WireFields {
  return {
    master: isMaster,
    ...(user && { user: { __type: 'Object', className: '_User', ...user } as WireValue }),
    ...(installationId !== undefined && { installationId }),
    ip: ipAddress,
    context: context as WireFields,
  }
}

function readAnswer(text: string): { success?: WireValue; error?: WireValue } {
  if (text === '') return {}
  try {
    const answer: unknown = JSON.parse(text, (key, value) => {
      if (forbidden.has(key)) throw new Error(key)
      return value
    })
    return typeof answer === 'object' && answer !== null ? answer : {}
  } catch {
    return { error: 'Malformed response' }
  }
}

function readError(error: WireValue | undefined): CountersignError {
  if (typeof error === 'string') return new CountersignError('ScriptFailed', error)
  const { code, error: text, message } = (error ?? {}) as WireFields
  const sentence = [text, message].find((part) => typeof part === 'string') ?? 'Script failed.'
  return new CountersignError(Number.isInteger(code) ? Number(code) : 'ScriptFailed', String(sentence))
}
