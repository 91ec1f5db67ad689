import { headers, noticeHeader } from '@countersign/protocol'
import type { FastifyReply, FastifyRequest } from 'fastify'
import createFindMyWay, { type HTTPMethod } from 'find-my-way'
import type { Config } from '../../config/Config.ts'
import type { Endpoint } from '../Endpoint.ts'

export type Match = { endpoint: Endpoint; params: Record<string, string> }

export type FindEndpoint = (method: string, path: string) => Match | undefined

/** Finds the endpoint of a method and a path under the mount. Slashes at the end and case are forgiven. */
export function createRouter(endpoints: Endpoint[]): FindEndpoint {
  const find = createFinder(endpoints)
  let findOther: FindEndpoint | undefined
  return (method, path) => {
    // The router would take what stands before a # for the path.
    if (!path.startsWith('/') || path.includes('#')) return undefined
    const match = find(method, path)
    // Functions of the application may be called the same but for their case.
    const isOther = match?.endpoint.spellings && !match.endpoint.spellings.includes(lastPart(path))
    if (!isOther) return match
    findOther ??= createFinder(endpoints.filter(({ spellings }) => !spellings))
    return findOther(method, path)
  }
}

function lastPart(path: string): string {
  const part = path.replace(/\/+$/, '').split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const noParams: Record<string, string> = Object.freeze({})

function createFinder(endpoints: Endpoint[]): FindEndpoint {
  const router = createFindMyWay({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: 500,
  })
  // Paths without a parameter, as they are mostly written, are looked up without a walk through the tree.
  const fixed = new Map<string, Match>()
  for (const endpoint of endpoints) {
    router.on(endpoint.method, endpoint.path, () => {}, endpoint)
    if (!/[:*]/.test(endpoint.path)) fixed.set(`${endpoint.method} ${endpoint.path}`, { endpoint, params: noParams })
  }
  return (method, path) => {
    const known = fixed.get(`${method} ${path}`)
    if (known) return known
    const found = router.find(method as HTTPMethod, path)
    return found ? { endpoint: found.store as Endpoint, params: found.params as Record<string, string> } : undefined
  }
}

type Mounts = Pick<Config, 'mount' | 'mountPath'>

/** Every path under which the API is found, the first one first. Clients of the first years have `/1`. */
export const listMounts = ({ mount, mountPath }: Mounts): string[] => [...new Set([mount, ...mountPath, '/1'])]

/** An address under another mount of the API, as it is under the first: what follows knows that one alone. */
export function toMount(config: Mounts, url: string): string {
  for (const other of listMounts(config).slice(1)) {
    if (!url.startsWith(other)) continue
    const rest = url.slice(other.length)
    if (rest === '' || rest.startsWith('/') || rest.startsWith('?')) return `${config.mount}${rest}`
  }
  return url
}

const allowed = [
  ...Object.values(headers).filter((name) => name !== headers.sessionTransport && name !== headers.console),
  'X-Requested-With',
  'X-HTTP-Method-Override',
  'Content-Type',
  'Authorization',
  'Pragma',
  'Cache-Control',
  'X-Moralis-Platform',
  'X-Moralis-Platform-Version',
  'X-Moralis-Build-Target',
  'X-Parse-Upload-Mode',
  'X-Parse-File-Metadata',
  'X-Parse-File-Tags',
].join(', ')

/** What browsers read from the answer to a preflight alone. */
const preflight = {
  'Access-Control-Allow-Methods': 'GET,PUT,POST,DELETE,OPTIONS',
  'Access-Control-Allow-Headers': allowed,
}

const anyone = {
  'Access-Control-Allow-Origin': '*',
  'Access-Control-Expose-Headers': `X-Parse-Job-Status-Id, X-Parse-Push-Status-Id, X-Request-Id, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, ${noticeHeader}`,
}

/**
 * Every page may call with keys and tokens of its own; that is what the older clients do. Cookies are
 * another matter: only origins that the operator named may send them from elsewhere.
 */
export function applyCors(origins: string[], request: FastifyRequest, reply: FastifyReply): void {
  const { origin } = request.headers
  const isTrusted = origin !== undefined && origins.includes(origin)
  reply.headers(anyone)
  if (request.method === 'OPTIONS') reply.headers(preflight)
  if (!isTrusted) return
  reply.headers({
    'Access-Control-Allow-Origin': origin,
    'Access-Control-Allow-Credentials': 'true',
    Vary: 'Origin',
    ...(request.method === 'OPTIONS' && {
      'Access-Control-Allow-Headers': `${allowed}, ${headers.sessionTransport}, ${headers.console}`,
    }),
  })
}
