import type { WireFields } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { ValidationError } from '../errors/errors.ts'
import { request } from '../session/request.ts'
import type { AnyUserChanges } from '../values/Changes.ts'
import { decode } from '../values/decode.ts'
import { encodeFields } from '../values/encode.ts'
import type { FieldValue } from '../values/FieldValue.ts'
import type { Register } from '../values/Register.ts'

type AnyFunctions = { [name: string]: { input: { readonly [name: string]: unknown }; output: FieldValue | undefined } }

type Functions = Register extends { functions: infer Registered } ? Registered : AnyFunctions

export type CloudFunctionName = keyof Functions & string

/** Input of a function. */
export type CloudFunctionInput<Name extends CloudFunctionName> = Functions[Name] extends { input: infer Input }
  ? Input
  : never

/** Result of a function; a frozen snapshot. */
export type CloudFunctionOutput<Name extends CloudFunctionName> = Functions[Name] extends { output: infer Output }
  ? Output
  : never

/** The input, which may be left out where the function needs none. */
export type InputOf<Name extends CloudFunctionName> =
  Record<never, never> extends CloudFunctionInput<Name>
    ? [input?: CloudFunctionInput<Name>]
    : [input: CloudFunctionInput<Name>]

/**
 * Runs a function of the application on the server and returns its result. Dates and objects keep their types. Errors
 * of the function have its text and code.
 *
 * @example
 * const stars = await runFunction(client, 'averageStars', { movie: 'The Matrix' })
 */
export function runFunction<Name extends CloudFunctionName>(
  client: Client,
  name: Name,
  ...[input, options]: [...InputOf<Name>, options?: ActionOptions]
): Promise<CloudFunctionOutput<Name>> {
  const { signal } = (options ?? {}) as ActionOptions
  return runAction(client, async () => {
    return (await sendCall(client, name, input as object | undefined, signal)) as CloudFunctionOutput<Name>
  })
}

/** Runs a function on the server; returns the decoded result. */
export async function sendCall(
  client: Client,
  name: string,
  input: object | undefined,
  signal: AbortSignal | undefined,
): Promise<FieldValue | undefined> {
  const { result } = await request(client, 'runFunction', writeCall(name, input), { ...(signal && { signal }) })
  return result === undefined ? undefined : decode(result)
}

export type WireCall = { _function: string } & WireFields

/** A call as the wire carries it. */
export function writeCall(name: string, input: object = {}): WireCall {
  for (const field of Object.keys(input)) {
    // In a body such names are no input: `_method` makes another request of it, `_SessionToken` another sender.
    if (field.startsWith('_')) {
      throw new ValidationError(`An input of a function cannot be called ${field}.`, 'Names must start with a letter.')
    }
  }
  return { ...encodeFields(input as AnyUserChanges), _function: name }
}
