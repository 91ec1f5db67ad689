import type { WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { codeCallerOf } from '../../context/codeCaller.ts'
import type { HookName, RegisteredJob, Registry } from '../../context/Registry.ts'
import { readLimited } from '../../network/readLimited.ts'
import { limitOf, untilAborted } from '../withTimeLimit.ts'
import { type CloudHandler, callHandler, createFunction, createRequest, getCloudLog } from './createFunction.ts'
import { createHook } from './createHook.ts'
import { type ParseSdk, runCode } from './ParseSdk.ts'
import { readParams, type Validator, type ValidatorFunction } from './validate.ts'

/** Milliseconds; code that waits longer for somebody else is better off as a job. */
const patience = 30_000

/** Maximum bytes of a decoded response, which must not fill the memory. */
const mostBytes = 16 * 1024 * 1024

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

/** Hooks of users and connections: legacy name, name here, and class. */
const otherHooks = [
  ['beforeLogin', 'beforeSignIn', '_User'],
  ['afterLogin', 'afterSignIn', '_User'],
  ['afterLogout', 'afterSignOut', '_User'],
  ['beforePasswordResetRequest', 'beforePasswordReset', '_User'],
  ['beforeConnect', 'beforeConnect', '@Connect'],
] as const satisfies readonly (readonly [string, HookName, string])[]

/** Definition functions for legacy code, writing to the registry. Of two with one name the later counts. */
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
    httpRequest: (options: HttpOptions) => sendHttp(context, options),
    getLogger: () => getCloudLog(context),
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
  throw new Error('the name of a function or job must have 1 to 200 characters.')
}

function needHandler(name: string, handler: unknown): void {
  if (typeof handler !== 'function') throw new Error(`Cloud.${name} needs a function to call.`)
}

/** The class that a hook is for: its name, or a class of the client, which carries it. */
function readClassName(hook: string, type: unknown): string {
  const { className, name } = Object(type) as { className?: unknown; name?: unknown }
  const found = typeof type === 'string' ? type : (className ?? name)
  if (typeof found !== 'string' || found === '') {
    throw new Error(`Cloud.${hook} needs a class: its name, or one such as Parse.User.`)
  }
  const other = /^(?:Parse|@)(File|Config)$/.exec(found)?.[1]
  if (other === 'File' && /(Save|Delete)$/.test(hook)) return '@File'
  if (other === 'Config' && /Save$/.test(hook)) return '@Config'
  // Better not to start than to start without a check that somebody relies on.
  if (other || found.startsWith('@')) throw new Error(`Cloud.${hook} is not supported for ${other ?? found.slice(1)}.`)
  if (found === '_Session') throw new Error('Only the afterLogout trigger is allowed for the _Session class.')
  return found
}

/** A job of `Cloud.job`, ready to be run. It is nobody's request, and has the rights of the server. */
function createJob(context: Context, parse: ParseSdk, handler: CloudHandler): RegisteredJob {
  return {
    async run({ name, params, progress, signal }) {
      const caller = codeCallerOf({ isMaster: true, isLocalApp: false, ipAddress: '127.0.0.1' })
      const request = Object.assign(createRequest(context, parse, caller), {
        jobName: name,
        params: readParams(parse, params),
        message: (text: unknown) => progress(String(text)),
      })
      const limit = limitOf(signal)
      const result = await runCode(limit, () => untilAborted(limit, async () => callHandler(parse, handler, request)))
      return typeof result === 'string' ? result : undefined
    },
  }
}

type HttpOptions = {
  url: string
  method?: string
  headers?: { [name: string]: string }
  params?: string | { [name: string]: unknown }
  body?: unknown
  followRedirects?: boolean
  success?: (response: HttpAnswer) => void
  error?: (response: HttpAnswer) => void
}

type HttpAnswer = {
  status: number
  headers: { [name: string]: string }
  buffer: Buffer
  text: string
  /** The body where it is JSON. */
  data: WireValue | undefined
}

/** `Cloud.httpRequest`: rejects with the response if its status is not a success. */
async function sendHttp({ config }: Context, options: HttpOptions): Promise<HttpAnswer> {
  const url = new URL(options.url)
  checkHost(config, url)
  const params = new URLSearchParams(
    typeof options.params === 'string' ? options.params : flatten(options.params ?? {}),
  )
  for (const [name, value] of params) url.searchParams.append(name, value)
  const headers = new Headers(options.headers)
  const body = writeBody(options.body, headers)
  const response = await fetch(url, {
    method: options.method ?? 'GET',
    headers,
    // A redirect may lead to a host that nobody named.
    redirect: options.followRedirects && !namedHosts(config) ? 'follow' : 'manual',
    signal: AbortSignal.timeout(patience),
    ...(body !== undefined && { body }),
  })
  const buffer = await readLimited(response.body, mostBytes)
  const text = buffer.toString('utf8')
  const answer: HttpAnswer = {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    buffer,
    text,
    data: readJson(text),
  }
  const isGood = response.status >= 200 && response.status < 400
  if (isGood) options.success?.(answer)
  else options.error?.(answer)
  if (!isGood) throw Object.assign(new Error(`Request failed with response code ${response.status}`), answer)
  return answer
}

/** The hosts that may be asked; undefined for all of them. */
function namedHosts({ functions, production }: Context['config']): readonly string[] | undefined {
  return functions.httpHosts ?? (production ? [] : undefined)
}

function checkHost(config: Context['config'], url: URL): void {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error('Cloud.httpRequest supports only http:// and https:// URLs.')
  }
  const hosts = namedHosts(config)
  const hostname = url.hostname.toLowerCase()
  const port = url.port || (url.protocol === 'https:' ? '443' : '80')
  if (!hosts || hosts.includes(`${hostname}:${port}`)) return
  // A host alone is its web server: other programs on the same machine are for the operator to name.
  if (hosts.includes(hostname) && (port === '80' || port === '443')) return
  throw new Error(
    `Cloud.httpRequest can’t connect to ${url.host}. Add the host to functions.httpHosts in the configuration.`,
  )
}

function writeBody(body: unknown, headers: Headers): string | Buffer | undefined {
  if (body === undefined || typeof body === 'string' || Buffer.isBuffer(body)) return body
  if (/json/i.test(headers.get('content-type') ?? '')) return JSON.stringify(body)
  headers.set('content-type', 'application/x-www-form-urlencoded')
  return new URLSearchParams(flatten(body as { [name: string]: unknown })).toString()
}

function flatten(values: { [name: string]: unknown }): [string, string][] {
  return Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((item): [string, string] => [
      name,
      typeof item === 'object' ? JSON.stringify(item) : String(item),
    ]),
  )
}

function readJson(text: string): WireValue | undefined {
  try {
    return JSON.parse(text) as WireValue
  } catch {
    return undefined
  }
}
