import type { IncomingHttpHeaders } from 'node:http'
import type { Readable } from 'node:stream'
import {
  chainEndpoints,
  type EndpointName,
  type EndpointTypes,
  type ErrorName,
  endpoints,
  errorCodes,
  type Method,
  type NamedReason,
  type OperatorRole,
  operatorEndpoints,
  type ReasonParams,
  reasons,
  refuse,
} from '@countersign/protocol'
import { type Contract, contract, type EndpointContract } from '@countersign/protocol/contract'
import type { z } from 'zod'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import type { Body } from './request/createBodies.ts'

/** An endpoint is a value: where it stands, who may call it, what it takes, what it does. */
export type Endpoint = {
  name: string
  method: Method
  path: string
  summary: string
  /** `user`: a session is needed. `master`: the master key. `operator`: an operator in the console, or the master key. */
  access?: 'user' | 'master' | 'operator'
  /** Which operators may call it; all of them unless it says so. */
  operators?: readonly OperatorRole[]
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
  sameAs?: keyof typeof endpoints
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
  /** The input is an object of the application's own fields: it may be large, and is handed on as it came. */
  takesAnyFields?: boolean
  /** The sentence for a field that is missing, where older clients know another than ours. */
  missing?: (field: string) => string
  /** What runs in its place, with input and output of its own: a function of the application that has its name. */
  replacedBy?: (context: Context) => Endpoint | undefined
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

const places = { ...endpoints, ...chainEndpoints, ...operatorEndpoints }

/** An endpoint of the contract, by its name: the rest is what it does. */
export function defineEndpoint<Name extends EndpointName>(name: Name, definition: Definition<Name>): Endpoint {
  const known: EndpointContract | undefined = name in contract ? contract[name as keyof Contract] : undefined
  return { ...(known ? factsOf(known) : { summary: '' }), ...definition, name, ...places[name] } as Endpoint
}

/** What a contract says of its endpoint. */
export function factsOf({ reasons: _reasons, ...facts }: EndpointContract): Omit<Endpoint, 'name' | 'handle'> {
  return { ...facts, ...(facts.input && isOpen(facts.input) && { takesAnyFields: true }) }
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
  status?: number | undefined
  headers?: Record<string, string> | undefined
  /** The JSON of the output, where it is known already: what is answered often is written once. */
  text?: string | undefined
}

/**
 * An output that is answered with a status or headers of its own.
 *
 * @example
 * return isNew ? respond(user, { status: 201 }) : user
 */
export function respond<Output extends object>(output: Output, parts: ResponseParts): Responded<Output> {
  // Written out: a spread would cost every request more than the rest of this.
  return { [mark]: true, output, status: parts.status, headers: parts.headers, text: parts.text }
}

/** An output that is kept as its JSON alone, which takes a fraction of the memory: read where somebody needs the object. */
export function respondWritten<Output extends object>(text: string): Responded<Output> {
  return {
    [mark]: true,
    get output(): Output {
      return JSON.parse(text)
    },
    text,
  }
}

/** What a handler gave, in one form. */
export function toResponse(given: object): ResponseParts & { output: object } {
  return mark in given ? (given as Responded) : { output: given }
}

/** The input of an endpoint and the parts of its path, by its contract. */
export function parseRequest(endpoint: Endpoint, given: Body, params: Record<string, string>) {
  const { input, omitsEmpty, takesAnyFields, missing } = endpoint
  return {
    params: parseInput(endpoint.params, params) as Record<string, string>,
    input: (takesAnyFields ? given : parseInput(input, omitsEmpty ? withoutEmpty(given) : given, missing)) as Body,
  }
}

/** What was sent, by the contract: made into what the handler takes, or refused with the name of the field. */
function parseInput(schema: z.ZodType | undefined, given: object, describeMissing?: (field: string) => string): object {
  if (!schema) return given
  const read = schema.safeParse(given)
  if (read.success) return read.data as object
  // With the values that were wrong, which makes the parse many times slower: only where it is refused.
  const issue = innermost(schema.safeParse(given, { reportInput: true }).error?.issues[0])
  const field = issue?.path.map(String).join('.').slice(0, 100) || 'The request'
  // A field may name the reason that it is refused with.
  if (issue && Object.hasOwn(reasons, issue.message)) {
    const name = issue.message as NamedReason
    throw refuse(name, paramsOf(name, { field, ...(issue.code === 'too_big' && { max: Number(issue.maximum) }) }))
  }
  // Or the number that older clients know for it, with words of its own after a colon.
  const [name = '', words] = issue?.message.split(/: (.*)/s, 2) ?? []
  const code = Object.hasOwn(errorCodes, name) ? (name as ErrorName) : undefined
  const problem = issue ? describeIssue(issue, code ? words : undefined) : 'is not valid'
  const isMissing = issue?.input === undefined && issue?.path.length === 1
  const sentence = isMissing ? describeMissing?.(field) : undefined
  throw refuse('invalidInput', { field, problem }, { ...(code && { code }), ...(sentence && { sentence }) })
}

/** Older clients send null and empty text for what they do not mean. */
function withoutEmpty(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null && value !== ''))
}

/** What is wrong with a name inside an object stands inside what is wrong with the object. */
function innermost(issue: z.core.$ZodIssue | undefined): z.core.$ZodIssue | undefined {
  const [inner] = issue?.code === 'invalid_key' ? issue.issues : []
  return issue && inner ? ({ ...inner, path: issue.path, input: issue.path.at(-1) } as z.core.$ZodIssue) : issue
}

/** The values that the sentence of a reason names. */
function paramsOf(name: NamedReason, values: ReasonParams): ReasonParams | undefined {
  const { sentence } = reasons[name]
  const named = Object.entries(values).filter(([key]) => sentence.includes(`{${key}}`))
  return named.length > 0 ? Object.fromEntries(named) : undefined
}

function describeIssue(issue: z.core.$ZodIssue, words: string | undefined): string {
  if (issue.input === undefined) return 'is required'
  if (words !== undefined) return words
  const own = Object.hasOwn(errorCodes, issue.message) ? 'is not valid' : issue.message.slice(0, 300)
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${withArticle(issue.expected)}`
    case 'too_big':
      return `must be ${limitOf(issue.origin, issue.maximum)} at most`
    case 'too_small':
      return issue.origin === 'string' && issue.minimum === 1
        ? 'must not be empty'
        : `must be ${limitOf(issue.origin, issue.minimum)} at least`
    case 'invalid_value':
      return `must be ${issue.values.map(String).join(' or ')}`
    case 'invalid_format':
      return issue.format === 'datetime'
        ? 'must be an ISO time, such as 2030-01-31T12:00:00.000Z'
        : issue.format === 'regex'
          ? own
          : `must be ${withArticle(issue.format)}`
    default:
      return own
  }
}

function limitOf(origin: string, limit: number | bigint): string {
  if (origin === 'string') return `${limit} characters long`
  if (origin === 'array' || origin === 'set') return `a list of ${limit} entries`
  return String(limit)
}

function withArticle(type: string): string {
  if (type === 'array') return 'a list'
  if (type === 'record') return 'an object'
  if (type === 'int') return 'a whole number'
  if (type === 'boolean') return 'true or false'
  return `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`
}
