import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import type { endpoints, Method, OperatorRole, WireValue } from '@countersign/protocol'
import type { EndpointContract } from '@countersign/protocol/contract'
import type { z } from 'zod'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'

/** An endpoint is a value: path, access, input and handler. */
export type Endpoint = {
  name: string
  method: Method
  path: string
  summary: string
  /** `user`: a session is needed. `master`: the master key. `operator`: an operator in the console, or the master key. */
  access?: 'user' | 'master' | 'operator'
  /** Operator roles that may call it; all if absent. */
  operators?: readonly OperatorRole[]
  /** Scope that a token needs; every token is refused where it is absent. */
  scope?: EndpointContract['scope']
  /** A session token that comes along is checked first (209), not looked at, or let pass where it is not valid. */
  session?: 'checked' | 'dropped' | 'tolerated'
  status?: number
  /** Binds to the asking browser, for cookie sessions by a cookie of its own: `begins` sets it, `ends` clears it. */
  binds?: 'begins' | 'ends'
  /** Writes although it is a GET: not for the read-only master key. */
  writes?: boolean
  /** A plain write of objects: a repeat with the same request id gets the first response; may join a transaction. */
  once?: boolean
  /** The response is streamed: it cannot be part of a batch. */
  streams?: boolean
  /** The body may be a file: it is passed on unread if the headers name the sender. */
  takesFile?: boolean
  /** The endpoint that this is another form of: limits of the rate count both as one. */
  sameAs?: keyof typeof endpoints
  /** Also for our own page on the developer's machine, without keys. */
  localApp?: boolean
  /** Query strings of passwords and names are texts, even where they look like numbers. */
  textQuery?: boolean
  /** Null and empty text in the input stand for nothing. */
  omitsEmpty?: boolean
  /** Spelling of the last path part, where its case separates it from names of others. */
  spellings?: string[]
  /** The place of what was made, under the mount. */
  location?: (output: object, params: Record<string, string>) => string
  /** Facts of the input for the audit log, without secrets: an entry cannot be removed. */
  auditDetails?: (body: Body) => object
  /** Rejects callers beyond `access`. Runs before the input is parsed. */
  admit?: (context: Context, caller: Caller) => Promise<void>
  /** The parts of the path, parsed before the handler runs. */
  params?: z.ZodObject
  /** The body, or the query of a GET, parsed before the handler runs. */
  input?: z.ZodObject
  /** Response schema; checked if the setting `checkResponses` is on, as in tests. */
  output?: z.ZodType
  /**
   * Set where the input is an object of the application's own fields, which may be large and is handed on as it came.
   * Names the endpoint's own fields among them.
   */
  ownFields?: readonly string[]
  /** The sentence for a field that is missing, where older clients know another than ours. */
  missing?: (field: string) => string
  /** Replacement with input and output of its own: a function of the application with the same name. */
  replacedBy?: (context: Context) => Endpoint | undefined
  handle(request: HandlerRequest): Promise<object>
}

/** Input of a handler. `input` and `params` are parsed by the contract, if the endpoint has one. */
export type HandlerRequest<Input = Body, Params = Record<string, string>> = {
  context: Context
  caller: Caller
  input: Input
  params: Params
  dispatch: Dispatch
  sent: Sent
  /** For an endpoint that takes files: its request has an id, and the response is kept for repeats. */
  answers?: Answers
}

/** Response of a request id. */
export type Answers = {
  /** The first response; fails if the id was used for another request. */
  find(): Promise<object | undefined>
  /** Keeps the response, in the transaction of the write. Fails if there is one. */
  keep(output: object): Promise<void>
}

/** The request as it came, for endpoints that take files. */
export type Sent = {
  headers: IncomingHttpHeaders
  /** Content of a body that is not JSON. */
  stream?: Readable
  /** The file inside JSON, as base64, where it was too large to be read with the rest. */
  base64?: Buffer
  /** File type inside a JSON body, as the client declared it. */
  fileType?: string
}

/** A request inside a request: found before any is carried out, carried out with the rights of the whole. */
export type Dispatch = (request: { method: string; path: string; body: Body }) => {
  endpoint: Endpoint
  run(requestId?: string): Promise<object>
}

export type Body = { [key: string]: WireValue }
