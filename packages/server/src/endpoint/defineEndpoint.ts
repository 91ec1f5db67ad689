import type { EndpointName, EndpointTypes } from '@countersign/protocol'
import { type Contract, contract, type EndpointContract } from '@countersign/protocol/contract'
import type { z } from 'zod'
import type { Endpoint, HandlerRequest } from './Endpoint.ts'
import type { Responded } from './respond.ts'

export type InputOf<Name extends EndpointName> = Contract[Name] extends { input: infer Input extends z.ZodType }
  ? z.output<Input>
  : Record<never, never>

export type ParamsOf<Name extends EndpointName> = Contract[Name] extends { params: infer Params extends z.ZodType }
  ? z.output<Params>
  : Record<never, never>

export type OutputOf<Name extends EndpointName> = EndpointTypes[Name]['output']

type Definition<Name extends EndpointName> = Partial<Omit<Endpoint, 'name' | 'handle' | keyof EndpointContract>> & {
  handle(request: HandlerRequest<InputOf<Name>, ParamsOf<Name>>): Promise<OutputOf<Name> | Responded<OutputOf<Name>>>
}

/**
 * An endpoint of the contract, by its name; the rest is what it does. It lies beside its handler and is exported as
 * `…Endpoint`, by which `npm run contract` finds it.
 */
export function defineEndpoint<Name extends EndpointName>(name: Name, definition: Definition<Name>): Endpoint {
  return { ...factsOf(contract[name]), ...definition, name } as Endpoint
}

/** Endpoint facts from a contract. */
export function factsOf({
  reasons: _reasons,
  list: _list,
  ...facts
}: EndpointContract): Omit<Endpoint, 'name' | 'handle'> {
  return { ...facts, ...(facts.input && isOpen(facts.input) && { ownFields: Object.keys(facts.input.shape) }) }
}

/** Any fields are valid input; only the few of its own have to be parsed, and they are optional. */
function isOpen({ def, shape }: z.ZodObject): boolean {
  const own = Object.values(shape) as z.ZodType[]
  return def.catchall !== undefined && own.length <= 1 && own.every((field) => field.safeParse(undefined).success)
}
