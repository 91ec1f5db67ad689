import createFindMyWay, { type HTTPMethod } from 'find-my-way'
import type { Endpoint } from './Endpoint.ts'

export type Match = { endpoint: Endpoint; params: Record<string, string> }

/** Finds the endpoint of a method and a path under the mount. Slashes at the end and case are forgiven. */
export function createRouter(endpoints: Endpoint[]): (method: string, path: string) => Match | undefined {
  const router = createFindMyWay({
    caseSensitive: false,
    ignoreTrailingSlash: true,
    ignoreDuplicateSlashes: true,
    maxParamLength: 500,
  })
  for (const endpoint of endpoints) router.on(endpoint.method, endpoint.path, () => {}, endpoint)
  return (method, path) => {
    const found = router.find(method as HTTPMethod, path)
    return found ? { endpoint: found.store as Endpoint, params: found.params as Record<string, string> } : undefined
  }
}
