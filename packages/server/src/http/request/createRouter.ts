import createFindMyWay, { type HTTPMethod } from 'find-my-way'
import type { Endpoint } from '../../endpoint/Endpoint.ts'

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
