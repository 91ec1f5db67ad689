import type { Readable } from 'node:stream'
import type { Audit } from '../../audit/startAudit.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import type { Body, Sent } from '../../endpoint/Endpoint.ts'
import { notHere } from '../../endpoint/notHere.ts'
import { isForwarded } from '../../network/clientAddress.ts'
import type { ApiReply, ApiRequest } from './ApiRequest.ts'
import { type Claims, findTokenText } from './claims.ts'
import type { Bodies, HeldBody } from './createBodies.ts'
import type { RateLimiter } from './createRateLimiter.ts'
import type { FindEndpoint, Match } from './createRouter.ts'
import type { Duplicates } from './rejectDuplicates.ts'

/** Dependencies of the request stages, created once. */
export type Gate = {
  context: Context
  findEndpoint: FindEndpoint
  limiter: RateLimiter
  bodies: Bodies
  audit: Audit
  isMasterAddress: (address: string) => boolean
  /** Keys of which a client must name one. */
  neededKeys: string[]
  duplicates: Duplicates
  /** Origins whose pages lose their session cookie, each of which is logged once. */
  trappedOrigins: Set<string>
}

/** A request on its way through the stages. Each stage writes what the later ones read. */
export type Exchange = {
  request: ApiRequest
  reply: ApiReply
  /** The session lives in a cookie. */
  cookie: boolean
  path: string
  search: string
  /** Method of the request line. */
  written: string
  /** The endpoint of that method. */
  first: Match | undefined
  stream: Readable | undefined
  /** Older clients send everything by POST and name the method in the body. */
  mayTurn: boolean
  from: { address: string; isForwarded: boolean; token?: string }
  isCounted: boolean
  began: number
  /** Claims of the headers, where those say enough. */
  claims: Claims | undefined
  /** The caller by those claims, known before the body is read. */
  early: Caller | undefined
  sent: Sent
  held: HeldBody | undefined
}

/** A call of an endpoint: the request itself, or a part of a batch. */
export type Asked = {
  method: string
  path: string
  search: string
  body: Body
  match: Match
  requestId: string | undefined
}

/** Matches the request by its first line. */
export function openExchange(gate: Gate, request: ApiRequest, reply: ApiReply, cookie: boolean): Exchange {
  const { mount } = gate.context.config
  // Routed by one text and carried out by another, a request would pass what was decided about the first.
  const isUnder = request.url.startsWith(mount) && /^(\/|\?|$)/.test(request.url.slice(mount.length))
  if (!isUnder) throw notHere(request.method, request.url.split('?', 1)[0] ?? '')
  const [path, search] = splitUrl(request.url, mount.length)
  const stream = request.body as Readable | undefined
  const written = request.method === 'HEAD' ? 'GET' : request.method
  const first = request.match ?? gate.findEndpoint(written, path)
  request.countedAs = first?.endpoint.name
  return {
    request,
    reply,
    cookie,
    path,
    search,
    written,
    first,
    stream,
    mayTurn: written === 'POST' && (stream !== undefined || request.headers['x-http-method-override'] !== undefined),
    from: payerOf(gate.context, request),
    isCounted: false,
    began: 0,
    claims: undefined,
    early: undefined,
    sent: { headers: request.headers },
    held: undefined,
  }
}

/**
 * Known tokens have a count of their own, all others count by address: guesses must not open new counts. `findToken` of
 * the cache needs no statement; a token that is not cached yet is counted twice, here and once it is identified.
 */
function payerOf({ sessionCache, clock }: Context, request: ApiRequest): Exchange['from'] {
  const from = { address: request.ip, isForwarded: isForwarded(request) }
  const text = findTokenText(request)
  if (text === undefined) return from
  const grant = sessionCache.find(text, clock.ms())?.grant
  return grant ? { ...from, token: `token ${grant.id}` } : from
}

export function splitUrl(url: string, mountLength: number): [path: string, search: string] {
  const question = url.indexOf('?')
  const path = question < 0 ? url.slice(mountLength) : url.slice(mountLength, question)
  return [path === '' ? '/' : path, question < 0 ? '' : url.slice(question + 1)]
}
