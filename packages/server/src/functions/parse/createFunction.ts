import { format } from 'node:util'
import type { WireFields, WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { callerOf } from '../../context/codeCaller.ts'
import type { CodeCaller, FunctionCall, RegisteredFunction } from '../../context/Registry.ts'
import { createCallCounter } from '../runFunction.ts'
import type { CloudRequest } from './CloudRequest.ts'
import { type ParseObject, type ParseSdk, plain, runCode, toParse } from './ParseSdk.ts'
import { describeValidator, readParams, type Validator, type ValidatorFunction, validate } from './validate.ts'

export type CloudHandler = (request: never, response?: CloudResponse) => unknown

/** Response object of handlers of the form `(request, response)`. */
type CloudResponse = {
  success(value?: unknown): void
  error(code: unknown, message?: unknown): void
  /** Of a job. */
  message(text: unknown): void
}

/**
 * Calls a handler. One that takes a response object responds by it, or by its return value: a promise, or a value.
 * Returning nothing means that the response is still to come.
 */
export function callHandler(parse: ParseSdk, handler: CloudHandler, request: CloudRequest): unknown {
  if (handler.length < 2) return handler(request as never)
  return new Promise((resolve, reject) => {
    const response: CloudResponse = {
      success: resolve,
      error: (code, message) => reject(typeof code === 'number' ? new parse.Error(code, String(message)) : code),
      message: (text) => void (request.message as ((text: unknown) => unknown) | undefined)?.(text),
    }
    const returned = handler(request as never, response)
    if (returned !== undefined) resolve(returned)
  })
}

/** A function of `Cloud.define`, ready to be called. */
export function createFunction(
  context: Context,
  parse: ParseSdk,
  name: string,
  handler: CloudHandler,
  validator: Validator | ValidatorFunction | undefined,
): RegisteredFunction {
  const rule = typeof validator === 'object' ? validator.rateLimit : undefined
  const count =
    rule &&
    createCallCounter(
      { count: rule.requestCount ?? 100, window: rule.requestTimeWindow ?? 60_000, by: 'address' },
      name,
      context,
    )
  return {
    describe: () => describeValidator(validator),
    async run({ params, caller, limit }: FunctionCall): Promise<WireValue | undefined> {
      await count?.(caller)
      const own = { functionName: name, params: readParams(parse, params) }
      const request = Object.assign(createRequest(context, parse, caller), own)
      return runCode(limit, async () => {
        await validate(context, caller, request, validator)
        const result = await callHandler(parse, handler, request)
        return result === undefined ? undefined : encode(parse, result)
      })
    },
  }
}

function encode(parse: ParseSdk, result: unknown): WireValue | undefined {
  const { value }: WireFields = plain({ value: parse._encode(result) })
  return value
}

/** The request that code gets. Its user and headers are made when code asks for them; most code does not. */
export function createRequest(context: Context, parse: ParseSdk, caller: CodeCaller): CloudRequest {
  let user: ParseObject | undefined
  let isMade = false
  return {
    master: caller.isMaster,
    get user() {
      if (!isMade) this.user = createUser(parse, caller)
      return user
    },
    set user(given) {
      user = given
      isMade = true
    },
    installationId: caller.installationId,
    ip: caller.ipAddress,
    get headers() {
      return caller.headers
    },
    context: caller.context,
    log: getCloudLog(context),
  }
}

function createUser(parse: ParseSdk, caller: CodeCaller): ParseObject | undefined {
  const { session } = callerOf(caller)
  if (!caller.user) return undefined
  return toParse(parse, '_User', session ? { sessionToken: session.token, ...caller.user } : caller.user)
}

export type CloudLog = {
  [level in 'error' | 'warn' | 'info' | 'verbose' | 'debug' | 'silly']: (...parts: unknown[]) => void
}

const logByContext = new WeakMap<Context, CloudLog>()

/** The levels that code of the older form knows, over those of the server's log. */
export function getCloudLog(context: Context): CloudLog {
  const known = logByContext.get(context)
  if (known) return known
  const write =
    (level: 'error' | 'warn' | 'info' | 'debug' | 'trace') =>
    (...parts: unknown[]) =>
      context.log[level]({ source: 'cloud code' }, format(...parts))
  const made = {
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    verbose: write('debug'),
    debug: write('debug'),
    silly: write('trace'),
  }
  logByContext.set(context, made)
  return made
}
