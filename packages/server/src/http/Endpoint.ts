import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { AppEndpointName, EndpointName, EndpointTypes, Method } from '@countersign/protocol'
import { endpoints, operatorEndpoints } from '@countersign/protocol'
import { type Contract, contract, type EndpointContract } from '@countersign/protocol/contract'
import type { z } from 'zod'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import type { Body } from './readBody.ts'

/** An endpoint is a value: where it stands, who may call it, what it takes, what it does. */
export type Endpoint = {
  name: string
  method: Method
  path: string
  summary: string
  /** `master`: the master key is needed. */
  access?: 'anyone' | 'master'
  /** A session token that comes along is checked first (209), not looked at, or let pass where it is not valid. */
  session?: 'checked' | 'dropped' | 'tolerated'
  status?: number
  /** Binds to the asking browser, for cookie sessions by a cookie of its own: `begins` sets it, `ends` clears it. */
  binds?: 'begins' | 'ends'
  /** Writes although it is a GET: not for the read-only master key. */
  writes?: boolean
  /** A plain write of objects: a repeat under the same request id is answered as the first was; may join a transaction. */
  once?: boolean
  /** The answer is written while it is read: it cannot be part of a batch. */
  streams?: boolean
  /** The body may be a file: it is handed on unread where the headers say who sends it. */
  takesFile?: boolean
  /** The endpoint that this is another form of: limits of the rate count both as one. */
  sameAs?: AppEndpointName
  /** Also for our own page on the developer's machine, without keys. */
  localApp?: boolean
  /** Query strings of passwords and names are texts, even where they look like numbers. */
  textQuery?: boolean
  /** Null and empty text in the input stand for nothing. */
  omitsEmpty?: boolean
  /** How the last part of the path is spelled, where its case tells it from what others named. */
  spellings?: string[]
  /** The place of what was made, under the mount. */
  location?: (output: object, params: Record<string, string>) => string
  /** Refuses callers beyond what `access` says. Runs before the input is parsed. */
  admit?: (context: Context, caller: Caller) => void
  /** The parts of the path, parsed before the handler runs. */
  params?: z.ZodObject
  /** The body, or the query of a GET, parsed before the handler runs. */
  input?: z.ZodObject
  /** What it answers; checked where the setting `checkResponses` is on, as in tests. */
  output?: z.ZodType
  /** What it takes, for the description of the API alone: the handler reads its input itself. */
  describedInput?: z.ZodType
  handle(request: HandlerRequest): Promise<object>
}

/** What a handler gets. Input and params are what the contract makes of them, where the endpoint has one. */
export type HandlerRequest<Input = Body, Params = Record<string, string>> = {
  context: Context
  caller: Caller
  input: Input
  params: Params
  dispatch: Dispatch
  sent: Sent
}

/** The request as it came, for endpoints that take files. */
export type Sent = {
  headers: IncomingHttpHeaders
  /** The content, where it is none that was read as JSON. */
  stream?: Readable
  /** The file inside JSON, as base64, where it was too large to be read with the rest. */
  base64?: Buffer
  /** What a client that sends JSON says the file inside it is. */
  fileType?: string
}

/** A request inside a request: found before any is carried out, carried out with the rights of the whole. */
export type Dispatch = (request: { method: string; path: string; body: Body }) => {
  endpoint: Endpoint
  run(requestId?: string): Promise<object>
}

export type InputOf<Name> = Name extends keyof Contract
  ? Contract[Name] extends { input: infer Input extends z.ZodType }
    ? z.output<Input>
    : Record<never, never>
  : Body
export type ParamsOf<Name> = Name extends keyof Contract
  ? Contract[Name] extends { params: infer Params extends z.ZodType }
    ? z.output<Params>
    : Record<never, never>
  : Record<string, string>
export type OutputOf<Name extends EndpointName> = Name extends keyof Contract
  ? EndpointTypes[Name]['output']
  : EndpointTypes[Name]['output'] | object

type Definition<Name extends EndpointName> = Partial<Omit<Endpoint, 'name' | 'method' | 'path' | 'handle'>> & {
  handle(request: HandlerRequest<InputOf<Name>, ParamsOf<Name>>): Promise<OutputOf<Name> | Responded<OutputOf<Name>>>
}

const places = { ...endpoints, ...operatorEndpoints }

/** An endpoint of the contract, by its name: the rest is what it does. */
export function defineEndpoint<Name extends EndpointName>(name: Name, definition: Definition<Name>): Endpoint {
  const known: EndpointContract | undefined = name in contract ? contract[name as keyof Contract] : undefined
  const { reasons: _reasons, input, ...facts } = known ?? { summary: '' }
  // An object of the application's own fields alone is handed on as it came: it may be large, and nothing is asked of it.
  const taken = input && (isOpen(input) ? { describedInput: input } : { input })
  return { ...facts, ...taken, ...definition, name, ...places[name] } as Endpoint
}

function isOpen({ def, shape }: z.ZodObject): boolean {
  return def.catchall !== undefined && Object.keys(shape).length === 0
}

const mark = Symbol('response')

/** An output with what HTTP says about it besides. */
export type Responded<Output extends object = object> = ResponseParts & {
  readonly [mark]: true
  readonly output: Output
}

export type ResponseParts = {
  status?: number
  headers?: Record<string, string>
  /** The JSON of the output, where it is known already: what is answered often is written once. */
  text?: string
}

/**
 * An output that is answered with a status or headers of its own.
 *
 * @example
 * return isNew ? respond(user, { status: 201 }) : user
 */
export function respond<Output extends object>(output: Output, parts: ResponseParts): Responded<Output> {
  return { ...parts, [mark]: true, output }
}

/** What a handler gave, in one form. */
export function toResponse(given: object): ResponseParts & { output: object } {
  return mark in given ? (given as Responded) : { output: given }
}
