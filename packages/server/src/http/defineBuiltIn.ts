import type { WireValue } from '@countersign/protocol'
import { type CompatFunctions, compatFunctions, type EndpointContract } from '@countersign/protocol/contract'
import type { z } from 'zod'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { runFunction } from '../functions/runFunction.ts'
import { type Endpoint, factsOf, type HandlerRequest, type Responded } from './Endpoint.ts'
import type { Body } from './request/createBodies.ts'

export type BuiltInName = keyof CompatFunctions
export type BuiltInInput<Name extends BuiltInName> = CompatFunctions[Name] extends {
  input: infer Input extends z.ZodType
}
  ? z.output<Input>
  : Body
export type BuiltInResult<Name extends BuiltInName> = z.input<CompatFunctions[Name]['output']>['result']

type Parts<Name extends BuiltInName> = Partial<Pick<Endpoint, 'name' | 'admit' | 'spellings'>> & {
  handle(
    request: HandlerRequest<BuiltInInput<Name>>,
  ): Promise<{ result: BuiltInResult<Name> } | Responded<{ result: BuiltInResult<Name> }>>
}

/** A function that the older clients call on their own, by its contract. */
export function defineBuiltIn<Name extends BuiltInName>(name: Name, { handle, ...parts }: Parts<Name>): Endpoint {
  const endpoint: Endpoint = {
    name,
    spellings: [name],
    ...factsOf(compatFunctions[name] as EndpointContract),
    ...parts,
    // What has been parsed is what the contract says.
    handle: handle as unknown as Endpoint['handle'],
  }
  const { name: counted, method, path, summary, session } = endpoint
  // An application may have a function of that name, and then it is that which its clients mean, with any input.
  const own: Endpoint = {
    ...{ name: counted, method, path, summary, ...(session && { session }) },
    handle: ({ context, caller, input }) => answerFunction(context, caller, name, input),
  }
  return { ...endpoint, replacedBy: ({ registry }) => (registry.functions.has(name) ? own : undefined) }
}

/** The answer of a function of the application, as clients read it. */
export async function answerFunction(
  context: Context,
  caller: Caller,
  name: string,
  params: Body,
): Promise<{ result?: WireValue }> {
  const result = await runFunction(context, caller, name, params)
  return result === undefined ? {} : { result }
}
