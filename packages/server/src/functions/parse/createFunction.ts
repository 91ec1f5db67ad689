import type { WireFields, WireValue } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { FunctionCall, RegisteredFunction } from '../../context/Registry.ts'
import { createCallCounter } from '../createCallCounter.ts'
import { createRequest } from './createRequest.ts'
import { plain } from './objects.ts'
import type { ParseSdk } from './ParseSdk.ts'
import { readParams } from './readParams.ts'
import { runCode } from './runCode.ts'
import { type Validator, type ValidatorFunction, validate } from './validate.ts'

export type CloudHandler = (request: never) => unknown

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
    async run({ params, caller, signal }: FunctionCall): Promise<WireValue | undefined> {
      count?.(caller)
      const request = {
        ...createRequest(context, parse, caller),
        functionName: name,
        params: readParams(parse, params),
      }
      return runCode(signal, async () => {
        await validate(context, caller, request, validator)
        const result = await handler(request as never)
        return result === undefined ? undefined : encode(parse, result)
      })
    },
  }
}

function encode(parse: ParseSdk, result: unknown): WireValue | undefined {
  const { value }: WireFields = plain({ value: parse._encode(result) })
  return value
}
