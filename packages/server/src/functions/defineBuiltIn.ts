import { type CompatFunctions, compatFunctions, type EndpointContract } from '@countersign/protocol/contract'
import type { z } from 'zod'
import { factsOf } from '../endpoint/defineEndpoint.ts'
import type { Body, Endpoint, HandlerRequest } from '../endpoint/Endpoint.ts'
import type { Responded } from '../endpoint/respond.ts'
import { answerFunction } from './runFunction.ts'

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
    // The parsed input has the contract's type.
    handle: handle as unknown as Endpoint['handle'],
  }
  const { name: counted, method, path, summary, session } = endpoint
  // An application may have a function of that name, and then it is that which its clients mean, with any input.
  const own: Endpoint = {
    ...{ name: counted, method, path, summary, scope: `function:${name}`, ...(session && { session }) },
    handle: ({ context, caller, input }) => answerFunction(context, caller, name, input),
  }
  return { ...endpoint, replacedBy: ({ registry }) => (registry.functions.has(name) ? own : undefined) }
}
