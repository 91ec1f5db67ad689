import { readdir, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { CountersignError, type LiveEventName, type WireFields } from '@countersign/protocol'
import type { Jiti } from 'jiti'
import * as zod from 'zod'
import { explainOlderName, listOlderClasses } from '../classes/olderClasses.ts'
import { importOwnPackage } from '../config/importFile.ts'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { callerOf, codeCallerOf } from '../context/codeCaller.ts'
import {
  type CodeCaller,
  createRegistry,
  type FunctionFacts,
  type HookEvent,
  type HookHandler,
  type RegisteredFunction,
  type RegisteredJob,
  type RegisteredState,
  type Registry,
} from '../context/Registry.ts'
import { accessOf } from '../roles/accessOf.ts'
import { requireSession } from '../users/sessions/sessions.ts'
import { CloudError, isOwnFailure, toClientError } from './CloudError.ts'
import type { CodeObject } from './CodeValue.ts'
import type { CodeFields } from './createObjects.ts'
import { createTools } from './createTools.ts'
import {
  type Definition,
  type FunctionDefinition,
  type HookDefinition,
  type HookTools,
  type JobDefinition,
  mark,
  type StateDefinition,
  type StateTools,
} from './Definition.ts'
import type { Processes } from './isolated/startProcess.ts'
import { loadParseFiles, sortFiles } from './parse/loadParseFiles.ts'
import { createCallCounter, runHandler } from './runFunction.ts'
import { decodeObject, decodeValue, encodeFields } from './values.ts'
import { limitOf, withTimeLimit } from './withTimeLimit.ts'

/** Loads every file of the cloud folder into a new registry: all, or none if one is broken. */
export async function loadCloud(context: Context, workers: Processes, path: string): Promise<Registry> {
  const registry = createRegistry()
  const importFile = createImporter()
  const { own, older } = await sortFiles(await listCloudFiles(path))
  for (const file of own) {
    try {
      for (const found of listDefinitions(basename(file), await importFile(file))) {
        register(context, workers, registry, file, found)
      }
    } catch (cause) {
      throw new CloudError(file, cause)
    }
  }
  await loadParseFiles(context, registry, older)
  warnOfOlderClasses(context, registry)
  return registry
}

/** Code for the older service may wait for rows that never come, or that nothing can refuse. */
function warnOfOlderClasses({ config, classes, log }: Context, { hooks }: Registry): void {
  const served = new Map(listOlderClasses(config).map((schema) => [schema.className, schema]))
  for (const key of hooks.keys()) {
    const [hook = '', className = ''] = key.split(' ')
    if (classes.list().some((schema) => schema.className === className)) continue
    const { source } = served.get(className) ?? {}
    const isCalled = hook === 'afterSave' || hook === 'afterDelete' ? source?.isLive : !/(Save|Delete)$/.test(hook)
    const reason = source ? 'Its rows come from the chain index.' : explainOlderName(config, className)
    if (reason && !(source && isCalled)) log.warn(`${hook} of ${className} is never called. ${reason}`)
  }
}

function register(
  context: Context,
  workers: Processes,
  registry: Registry,
  path: string,
  { name, exported, definition }: NamedDefinition,
): void {
  switch (definition[mark]) {
    case 'function':
      refuseTaken(registry.functions, 'function', name)
      registry.functions.set(name, createRegisteredFunction(context, workers, definition, { name, path, exported }))
      return
    case 'job':
      refuseTaken(registry.jobs, 'job', name)
      registry.jobs.set(name, createRegisteredJob(context, definition))
      return
    case 'hook': {
      const key = `${definition.on} ${classOf(definition)}`
      registry.hooks.set(key, [...(registry.hooks.get(key) ?? []), createHookHandler(context, definition)])
      return
    }
    case 'state':
      refuseTaken(registry.states, 'state', name)
      for (const [other, { classes }] of registry.states) {
        const shared = definition.classes.find((className) => classes.includes(className))
        if (shared) throw new Error(`the state ${other} already writes the class ${shared}.`)
      }
      registry.states.set(name, createRegisteredState(context, name, definition))
  }
}

/** Class of a hook. Hooks about users have a fixed one; the others must name it. */
function classOf({ on, className }: HookDefinition): string {
  if (className !== undefined) return className
  if (on === 'beforeConnect') return '@Connect'
  if (/(Save|Delete|Find|Subscribe|Event)$/.test(on)) throw new Error(`the hook ${on} needs a className.`)
  return '_User'
}

function refuseTaken(known: Map<string, unknown>, kind: string, name: string): void {
  if (known.has(name)) throw new Error(`two ${kind}s are called ${name}. Rename one of them.`)
}

/** A job of our own form, ready to be run. It is nobody's request, and has the rights of the server. */
function createRegisteredJob(context: Context, definition: JobDefinition): RegisteredJob {
  const { schedule, timeZone, maxAttempts, timeoutSeconds } = definition
  return {
    ...(schedule !== undefined && { schedule }),
    ...(timeZone !== undefined && { timeZone }),
    ...(maxAttempts !== undefined && { maxAttempts }),
    ...(timeoutSeconds !== undefined && { timeoutSeconds }),
    async run({ name, params, progress, signal }) {
      const server: Caller = { isMaster: true, isLocalApp: false, ipAddress: '127.0.0.1' }
      const tools = createTools(context, name, codeCallerOf(server), limitOf(signal))
      const message = await definition.handle(
        Object.assign(tools, { params: decodeValue(params) as CodeFields, progress }),
      )
      return typeof message === 'string' ? message : undefined
    },
  }
}

/** A state of our own form, ready to be called with an event, for so long only. */
function createRegisteredState(context: Context, name: string, definition: StateDefinition): RegisteredState {
  const { events, classes, chain, version = 1, timeoutMs = context.config.functions.timeoutMs } = definition
  return {
    events,
    classes,
    version,
    ...(chain !== undefined && { chain }),
    run: (event, store) =>
      withTimeLimit(timeoutMs, `The state ${name}`, async (limit) => {
        const tools: StateTools = {
          event: decodeObject(event.className, event.object),
          store: {
            get: async <Fields extends object>(className: string, id: string) => {
              const found = await store.get(className, id)
              return found && decodeObject<Fields>(className, found)
            },
            put: (className, id, fields) => store.put(className, id, encodeFields(withoutBigInts(fields), 'stored')),
            delete: (className, id) => store.delete(className, id),
          },
          get signal() {
            return limit.signal
          },
          log: (message, details) => context.log.info({ ...details, code: name }, message),
        }
        await definition.handle(tools)
      }),
  }
}

function withoutBigInts(fields: object): object {
  return Object.fromEntries(
    Object.entries(fields).map(([field, value]) => [field, typeof value === 'bigint' ? value.toString() : value]),
  )
}

/** A function of our own form, ready to be called: who may call it, how often, and in which process it runs. */
function createRegisteredFunction(
  context: Context,
  workers: Processes,
  definition: FunctionDefinition,
  { name, path, exported }: { name: string; path: string; exported: string },
): RegisteredFunction {
  const { rateLimit, timeoutMs, isolate = context.config.functions.isolate } = definition
  const count = rateLimit && createCallCounter(rateLimit, name, context)
  return {
    ...(timeoutMs !== undefined && { timeoutMs }),
    describe: () => describeDefinition(definition),
    async run({ params, caller, limit }) {
      await checkCaller(context, definition, name, caller)
      await count?.(caller)
      try {
        return isolate
          ? await workers.run({ name, path, exported, params, caller, limit })
          : await runHandler(definition, name, params, createTools(context, name, caller, limit))
      } catch (error) {
        if (isOwnFailure(error)) throw error
        if (!(error instanceof CountersignError)) context.log.warn({ err: error, code: name }, 'a function failed')
        throw toClientError(error)
      }
    },
  }
}

function describeDefinition({
  input,
  requireUser,
  requireRoles = [],
  requireMaster,
}: FunctionDefinition): FunctionFacts {
  return {
    ...(input && { input: describeInput(input) }),
    requires: [
      ...(requireMaster ? ['master'] : []),
      ...(requireUser ? ['user'] : []),
      ...requireRoles.map((role) => `role:${role}`),
    ],
  }
}

function describeInput(input: zod.ZodType): WireFields {
  try {
    return zod.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as WireFields
  } catch {
    // A schema of another version of the library is checked by that version, and described by none here.
    return {}
  }
}

/** Checks that the caller may call the function. */
async function checkCaller(
  context: Context,
  definition: FunctionDefinition,
  name: string,
  caller: CodeCaller,
): Promise<void> {
  const { requireMaster, requireRoles, requireUser } = definition
  if (requireMaster && !caller.isMaster) {
    throw new CountersignError('OperationForbidden', `${name} requires the master key.`)
  }
  const known = callerOf(caller)
  if (requireUser || (requireRoles && !caller.isMaster)) requireSession(known)
  if (!requireRoles || caller.isMaster) return
  const { entities } = await accessOf(context, known)
  if (requireRoles.some((role) => entities.includes(`role:${role}`))) return
  throw new CountersignError('OperationForbidden', `${name} requires ${describe(requireRoles)}.`)
}

function describe(roles: readonly string[]): string {
  return roles.length === 1 ? `the role ${roles[0]}` : `the roles ${roles.join(', ')}`
}

/** A hook of our own form as the server calls it: in values of the wire, and for so long only. */
function createHookHandler(context: Context, definition: HookDefinition): HookHandler {
  const name = `${definition.on} ${definition.className ?? ''}`.trimEnd()
  return async (event) => {
    const ms = definition.timeoutMs ?? context.config.functions.timeoutMs
    try {
      return await withTimeLimit(ms, `The hook ${name}`, async (limit) => {
        const tools: HookTools = Object.assign(createTools(context, name, event.caller, limit), readEvent(event))
        return writeReturned(event, await definition.handle(tools))
      })
    } catch (error) {
      if (isOwnFailure(error)) throw error
      throw toClientError(error)
    }
  }
}

function readEvent(event: HookEvent): Omit<HookTools, keyof ReturnType<typeof createTools>> {
  const { className, caller, object, original, query = {}, objects = [], isGet = false, isCount = false } = event
  const name = event.event
  return {
    user: caller.user && decodeObject('_User', caller.user),
    // Hooks that are about no object, such as those of a question, have no use for one either.
    object: (object && decodeObject(className, object)) as CodeObject,
    original: original && decodeObject(className, original),
    query,
    found: objects.map((item) => decodeObject(className, item)),
    isGet,
    isCount,
    event: name,
    sessionToken: event.sessionToken,
  }
}

/** Uses a hook's return value while something is still to be decided; a returned document is merged. */
function writeReturned({ hook }: HookEvent, returned: unknown): Partial<HookEvent> | undefined {
  if (returned === null || typeof returned !== 'object') return undefined
  if (hook === 'afterFind') {
    return Array.isArray(returned) ? { objects: returned.map((item) => writeObject(item)) } : undefined
  }
  if (hook === 'afterLiveQueryEvent') return readEventChanges(returned)
  if (hook === 'beforeFind' || hook === 'beforeSubscribe') return { query: encodeFields(returned, 'stored') }
  return hook.startsWith('before') ? { object: writeObject(returned) } : undefined
}

/** Names of the events that can be sent; anything else that is returned means nothing. */
function readEventChanges(returned: object): Partial<HookEvent> {
  const { event, sendEvent, object, original } = returned as { [name: string]: unknown }
  return {
    ...(typeof event === 'string' && { event: event as LiveEventName }),
    ...(sendEvent === false && { sendEvent }),
    ...(object !== null && typeof object === 'object' && { object: writeObject(object) }),
    ...(original !== null && typeof original === 'object' && { original: writeObject(original) }),
  }
}

/** Without what an object carries to be distinguished from a plain one. */
function writeObject(object: object): WireFields {
  const { __type: _type, className: _name, ...fields } = object as { [name: string]: unknown }
  return encodeFields(fields, 'stored', '', 0, true)
}

const isCode = (name: string) =>
  /\.(ts|mts|cts|js|mjs|cjs)$/.test(name) && !/(^[._])|\.(d|test|spec)\.[cm]?[jt]s$/.test(name)

/**
 * Files of the application's code: those directly in the folder, sorted by name. Deeper ones are for imports. A path
 * may also name a single file.
 */
export async function listCloudFiles(path: string): Promise<string[]> {
  const found = await stat(path).catch(() => undefined)
  if (!found) return []
  if (found.isFile()) return [path]
  const entries = await readdir(path, { withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory() && isCode(entry.name))
    .map(({ name }) => join(path, name))
    .sort()
}

export type Exports = { [name: string]: unknown }

/** Imports files of the application, TypeScript among them; each importer reads them again. */
export function createImporter(): (path: string) => Promise<Exports> {
  let jiti: Promise<Jiti> | undefined
  return async (path) => {
    jiti ??= openJiti()
    return (await jiti).import<Exports>(path)
  }
}

async function openJiti(): Promise<Jiti> {
  // Loaded on use: it is heavy, and many servers run without code of the application.
  const { createJiti } = await import('jiti')
  const jiti = createJiti(import.meta.url, {
    interopDefault: false,
    // A cache on disk lies where the server may not be allowed to write.
    fsCache: false,
    virtualModules: { countersign: await importOwnPackage(), zod },
  })
  for (const path of Object.keys(jiti.cache)) if (!path.includes('node_modules')) delete jiti.cache[path]
  return jiti
}

export type NamedDefinition = { name: string; exported: string; definition: Definition }

/** Letters that need no escape in an address. */
const goodName = /^[A-Za-z][\w.-]{0,199}$/

/** Definitions of a file, by the names that clients call. */
export function listDefinitions(fileName: string, exports: Exports): NamedDefinition[] {
  const stem = fileName.replace(/\.[^.]+$/, '')
  return Object.entries(exports).flatMap(([exported, definition]) => {
    if (!isDefinition(definition)) return []
    const given = 'name' in definition ? definition.name : undefined
    const name = given ?? (exported === 'default' ? stem : exported)
    if (!goodName.test(name)) {
      throw new Error(`${name} is not a valid name. Use letters, digits, _ . and -, and start with a letter.`)
    }
    return [{ name, exported, definition }]
  })
}

function isDefinition(value: unknown): value is Definition {
  return value !== null && typeof value === 'object' && Object.hasOwn(value, mark)
}
