import { format } from 'node:util'
import type { WireFields, WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { callerOf } from '../../context/codeCaller.ts'
import type { CodeCaller, FunctionCall, RegisteredFunction } from '../../context/Registry.ts'
import { createCallCounter } from '../runFunction.ts'
import type { CloudRequest } from './CloudRequest.ts'
import { type ParseSdk, plain, runCode, toParse } from './ParseSdk.ts'
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
      context.clock,
    )
  return {
    describe: () => describeValidator(validator),
    async run({ params, caller, signal }: FunctionCall): Promise<WireValue | undefined> {
      count?.(caller)
      const request = {
        ...createRequest(context, parse, caller),
        functionName: name,
        params: readParams(parse, params),
      }
      return runCode(signal, async () => {
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

export function createRequest(context: Context, parse: ParseSdk, caller: CodeCaller): CloudRequest {
  const { session } = callerOf(caller)
  const user =
    caller.user && toParse(parse, '_User', { ...caller.user, ...(session && { sessionToken: session.token }) })
  return {
    master: caller.isMaster,
    user,
    installationId: caller.installationId,
    ip: caller.ipAddress,
    headers: caller.headers,
    context: caller.context,
    log: createCloudLog(context),
  }
}

export type CloudLog = {
  [level in 'error' | 'warn' | 'info' | 'verbose' | 'debug' | 'silly']: (...parts: unknown[]) => void
}

/** The levels that code of the older form knows, over those of the server's log. */
export function createCloudLog({ log }: Context): CloudLog {
  const write =
    (level: 'error' | 'warn' | 'info' | 'debug' | 'trace') =>
    (...parts: unknown[]) =>
      log[level]({ source: 'cloud code' }, format(...parts))
  return {
    error: write('error'),
    warn: write('warn'),
    info: write('info'),
    verbose: write('debug'),
    debug: write('debug'),
    silly: write('trace'),
  }
}
