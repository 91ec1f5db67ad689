import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { EndpointName, EndpointTypes, Method } from '@countersign/protocol'
import { endpoints } from '@countersign/protocol'
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
  /** A plain write of objects: a repeat under the same request id is answered as the first was; may join a transaction. */
  once?: boolean
  /** The answer is written while it is read: it cannot be part of a batch. */
  streams?: boolean
  /** The body may be a file: it is handed on unread where the headers say who sends it. */
  takesFile?: boolean
  /** The endpoint that this is another form of: limits of the rate count both as one. */
  sameAs?: EndpointName
  /** Also for our own page on the developer's machine, without keys. */
  localApp?: boolean
  /** Query strings of passwords and names are texts, even where they look like numbers. */
  textQuery?: boolean
  /** How the last part of the path is spelled, where its case tells it from what others named. */
  spellings?: string[]
  /** The place of what was made, under the mount. */
  location?: (output: object, params: Record<string, string>) => string
  /** What it takes, for the description of the API. */
  input?: z.ZodType
  handle(
    context: Context,
    caller: Caller,
    input: Body,
    params: Record<string, string>,
    dispatch: Dispatch,
    sent?: Sent,
  ): Promise<object>
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

type Definition<Name extends EndpointName> = Omit<Endpoint, 'name' | 'method' | 'path' | 'handle'> & {
  handle(
    context: Context,
    caller: Caller,
    input: Body,
    params: Record<string, string>,
    dispatch: Dispatch,
    sent?: Sent,
  ): Promise<EndpointTypes[Name]['output'] | object>
}

/** An endpoint of the protocol's table, by its name. */
export function defineEndpoint<Name extends EndpointName>(name: Name, definition: Definition<Name>): Endpoint {
  return { ...definition, name, ...endpoints[name] }
}

/** Outputs that answer 201, where an endpoint makes something only sometimes. */
const createdOutputs = new WeakSet<object>()

export function created<Output extends object>(output: Output): Output {
  createdOutputs.add(output)
  return output
}

export function isCreated(output: object): boolean {
  return createdOutputs.has(output)
}

const outputHeaders = new WeakMap<object, Record<string, string>>()

/** An output that is answered with headers of its own. */
export function withHeaders<Output extends object>(output: Output, headers: Record<string, string>): Output {
  outputHeaders.set(output, headers)
  return output
}

export function headersOf(output: object): Record<string, string> {
  return outputHeaders.get(output) ?? {}
}

const outputTexts = new WeakMap<object, string>()

/** An output whose JSON is known already: what is answered often is written once. */
export function withText<Output extends object>(output: Output, text: string): Output {
  outputTexts.set(output, text)
  return output
}

export function textOf(output: object): string | undefined {
  return outputTexts.get(output)
}
