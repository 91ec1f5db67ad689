import type { Context } from '../../context/Context.ts'
import type { HookName, Registry } from '../../context/Registry.ts'
import { type CloudHandler, createFunction } from './createFunction.ts'
import { createHook } from './createHook.ts'
import { createJob } from './createJob.ts'
import { createCloudLog } from './createRequest.ts'
import type { ParseSdk } from './ParseSdk.ts'
import { readClassName } from './readClassName.ts'
import { sendHttp } from './sendHttp.ts'
import type { Validator, ValidatorFunction } from './validate.ts'

type Checked = Validator | ValidatorFunction | undefined

/** Hooks of a class, which comes first. */
const classHooks = [
  'beforeSave',
  'afterSave',
  'beforeDelete',
  'afterDelete',
  'beforeFind',
  'afterFind',
  'beforeSubscribe',
  'afterLiveQueryEvent',
] as const satisfies readonly HookName[]

/** Hooks of people and connections: what the older form calls them, what they are here, and whose they are. */
const otherHooks = [
  ['beforeLogin', 'beforeSignIn', '_User'],
  ['afterLogin', 'afterSignIn', '_User'],
  ['afterLogout', 'afterSignOut', '_User'],
  ['beforePasswordResetRequest', 'beforePasswordReset', '_User'],
  ['beforeConnect', 'beforeConnect', '@Connect'],
] as const satisfies readonly (readonly [string, HookName, string])[]

/** What code of the older form defines itself with: everything goes into the registry. Of two of a name the later counts. */
export function createCloud(context: Context, parse: ParseSdk, registry: Registry): { [name: string]: unknown } {
  const hook = (key: string, name: string, handler: CloudHandler, validator: Checked) => {
    needHandler(name, handler)
    registry.hooks.set(key, [createHook(context, parse, name, handler, validator)])
  }
  const cloud: { [name: string]: unknown } = {
    define(name: string, handler: CloudHandler, validator?: Checked) {
      needHandler(`define ${name}`, handler)
      registry.functions.set(needName(name), createFunction(context, parse, name, handler, validator))
    },
    job(name: string, handler: CloudHandler) {
      needHandler(`job ${name}`, handler)
      registry.jobs.set(needName(name), createJob(context, parse, handler))
    },
    httpRequest: sendHttp,
    getLogger: () => createCloudLog(context),
  }
  for (const name of classHooks) {
    cloud[name] = (type: unknown, handler: CloudHandler, validator?: Checked) =>
      hook(`${name} ${readClassName(name, type)}`, name, handler, validator)
  }
  for (const [name, own, className] of otherHooks) {
    // The class may be named, too: there is only the one.
    cloud[name] = (...parts: unknown[]) => {
      const [handler, validator] = isHandlerFirst(parts) ? parts : parts.slice(1)
      hook(`${own} ${className}`, name, handler as CloudHandler, validator as Checked)
    }
  }
  return cloud
}

/** `beforeLogin(handler)` or `beforeLogin(Parse.User, handler)`: a class of the client is a function, too. */
function isHandlerFirst([first, second]: unknown[]): boolean {
  return typeof first === 'function' && typeof second !== 'function'
}

function needName(name: unknown): string {
  if (typeof name === 'string' && name !== '' && name.length <= 200) return name
  throw new Error('a function or job needs a name of at most 200 characters.')
}

function needHandler(name: string, handler: unknown): void {
  if (typeof handler !== 'function') throw new Error(`Cloud.${name} needs a function that is to be called.`)
}
