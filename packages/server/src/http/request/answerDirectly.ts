import type { IncomingMessage, ServerResponse } from 'node:http'
import proxyAddr from '@fastify/proxy-addr'
import type { Config } from '../../config/Config.ts'
import type { Context } from '../../context/Context.ts'
import { isTrustedProxy } from '../../network/clientAddress.ts'
import type { ObserveResponse } from '../observeResponses.ts'
import type { ApiReply, ApiRequest } from './ApiRequest.ts'
import type { FindEndpoint, Match } from './createRouter.ts'
import { limitBodyTime } from './takeBody.ts'

/** Writes the headers of every response. Returns the refusal of a request that must not be carried out. */
export type Admit = (
  request: ApiRequest,
  reply: ApiReply,
  raw: IncomingMessage,
  route: { isApi: boolean; isProbe: boolean },
) => Error | undefined

type Parts = {
  context: Context
  findEndpoint: FindEndpoint
  readUrl(url: string): string
  nextId(): string
  admit: Admit
  handle(request: ApiRequest, reply: ApiReply): Promise<unknown>
  fail(request: ApiRequest, reply: ApiReply, error: unknown): void
  observe: ObserveResponse
}

/**
 * Handles the usual requests of the API without Fastify, whose hooks, request and reply cost as much as a session
 * check. Returns false for every other request, which Fastify handles: unusual spellings, types and encodings, files,
 * streams and paths of its own routes. Both go through the same stages.
 */
export function createDirectAnswers(parts: Parts): (raw: IncomingMessage, response: ServerResponse) => boolean {
  const { context, admit, handle, fail, observe, nextId } = parts
  const { config } = context
  const trust = isTrustedProxy(config)
  const isHealth = (raw: IncomingMessage) => raw.url === '/health' && raw.method === 'GET' && hasNoBody(raw)

  return (raw, response) => {
    const isProbe = isHealth(raw)
    const url = isProbe ? '/health' : parts.readUrl(raw.url ?? '/')
    const match = isProbe ? undefined : findUsual(parts, config, raw, url)
    if (!match && !isProbe) return false
    const request = new DirectRequest(raw, { id: nextId(), url, match, trust })
    const reply = new DirectReply(response, request, observe)
    const refusal = admit(request, reply, raw, isProbe ? probe : api)
    if (refusal) fail(request, reply, refusal)
    else if (isProbe) reply.send({ status: 'ok' })
    else {
      if (request.body) limitBodyTime(raw)
      handle(request, reply)
        .catch((error: unknown) => fail(request, reply, error))
        .catch(() => response.destroy())
    }
    return true
  }
}

const probe = { isApi: false, isProbe: true }
const api = { isApi: true, isProbe: false }

const methods = new Set(['GET', 'POST', 'PUT', 'DELETE'])

const usualType = /^(?:application\/json|text\/plain)(?:; ?charset=utf-8)?$/i

/** Longer parameters are refused by the router of Fastify. */
const longestPath = 500

function hasNoBody({ headers }: IncomingMessage): boolean {
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined
}

/** The endpoint of a request that needs nothing of Fastify. */
function findUsual({ findEndpoint }: Parts, { mount }: Config, raw: IncomingMessage, url: string): Match | undefined {
  const { method = '', headers } = raw
  if (raw.httpVersion !== '1.1' || !methods.has(method) || !url.startsWith(mount)) return undefined
  const end = url.indexOf('?')
  const path = end < 0 ? url.slice(mount.length) : url.slice(mount.length, end)
  if (path.length < 2 || path.length > longestPath || path.charCodeAt(0) !== slash || unusual.test(path))
    return undefined
  const type = headers['content-type']
  if (method === 'GET' ? !hasNoBody(raw) : type !== undefined && !usualType.test(type)) return undefined
  const match = findEndpoint(method, path)
  if (!match) return undefined
  const { takesFile, streams, path: pattern } = match.endpoint
  // Fastify has routes of these names.
  return takesFile || streams || ownRoutes.test(pattern) ? undefined : match
}

const slash = 47

const unusual = /[^\w./~:@-]|\/\//

const ownRoutes = /^\/(?:health|files|apps)\b/

type Given = { id: string; url: string; match: Match | undefined; trust: ReturnType<typeof isTrustedProxy> }

class DirectRequest implements ApiRequest {
  readonly id: string
  readonly url: string
  readonly method: string
  readonly headers: ApiRequest['headers']
  readonly body: unknown
  readonly match: Match | undefined
  countedAs: string | undefined
  userId: string | undefined
  isConsoleRead: boolean
  readonly #raw: IncomingMessage
  readonly #trust: Given['trust']
  #addresses: string[] | undefined

  constructor(raw: IncomingMessage, { id, url, match, trust }: Given) {
    const { headers, method = 'GET' } = raw
    this.#raw = raw
    this.#trust = trust
    this.#addresses = undefined
    this.id = id
    this.url = url
    this.method = method
    this.headers = headers
    this.match = match
    this.countedAs = undefined
    this.userId = undefined
    this.isConsoleRead = false
    const isEmpty =
      headers['content-type'] === undefined &&
      headers['transfer-encoding'] === undefined &&
      (headers['content-length'] ?? '0') === '0'
    this.body = isEmpty || method === 'GET' ? undefined : raw
  }

  get ip(): string {
    return this.ips?.at(-1) ?? this.#raw.socket.remoteAddress ?? ''
  }

  get ips(): string[] | undefined {
    if (!this.#trust) return undefined
    this.#addresses ??= proxyAddr.all(this.#raw, this.#trust)
    return this.#addresses
  }

  get protocol(): 'http' | 'https' {
    const { socket, headers } = this.#raw
    const given = String(headers['x-forwarded-proto'] ?? '')
    if (given !== '' && this.#trust?.(socket.remoteAddress ?? '', 0)) return given.split(',').at(-1)?.trim() as 'https'
    return 'encrypted' in socket ? 'https' : 'http'
  }
}

class DirectReply implements ApiReply {
  readonly raw: ServerResponse
  readonly request: ApiRequest
  readonly #observe: ObserveResponse
  readonly #began: number
  readonly #headers: Record<string, string | string[]>
  #status: number

  constructor(raw: ServerResponse, request: ApiRequest, observe: ObserveResponse) {
    this.raw = raw
    this.request = request
    this.#observe = observe
    this.#began = performance.now()
    this.#headers = {}
    this.#status = 200
  }

  code(status: number): this {
    this.#status = status
    return this
  }

  header(name: string, value: string): this {
    const key = name.toLowerCase()
    const before = key === 'set-cookie' ? this.#headers[key] : undefined
    this.#headers[key] = before === undefined ? value : [before, value].flat()
    return this
  }

  headers(values: Record<string, string>): this {
    for (const name in values) this.header(name, values[name] as string)
    return this
  }

  type(contentType: string): this {
    this.#headers['content-type'] = contentType
    return this
  }

  send(payload?: unknown): this {
    const { raw, request } = this
    if (raw.headersSent) return this
    const headers = this.#headers
    const isText = typeof payload === 'string'
    const text = isText ? payload : (JSON.stringify(payload) ?? '')
    headers['content-type'] ??= isText ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
    // Deny by default: a shared cache could give one caller's data to another.
    headers['cache-control'] ??= 'no-store'
    headers['content-length'] = String(Buffer.byteLength(text))
    // The caller may have left.
    if (!raw.destroyed) raw.writeHead(this.#status, headers).end(text)
    this.#observe(request, this.#status, performance.now() - this.#began)
    return this
  }
}
