import { headers } from '@countersign/protocol'
import type { Exchange } from './Recording.ts'

let latest = 0

/** A `fetch` that tells of each request, when it leaves and when its answer begins. Only what may be shown is taken. */
export function observeFetch(
  fetch: typeof globalThis.fetch,
  tell: (exchange: Exchange) => void,
): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const began = performance.now()
    const own = new Headers(init.headers).get(headers.requestId)
    latest += 1
    const exchange: Exchange = {
      id: latest,
      at: Date.now(),
      method: readMethod(init),
      path: readPath(input),
      ...(own !== null && { requestId: own }),
    }
    tell(exchange)
    const ended = () => ({ duration: Math.round(performance.now() - began) })
    try {
      const response = await fetch(input, init)
      const requestId = response.headers.get('X-Request-Id') ?? own
      tell({ ...exchange, ...ended(), status: response.status, ...(requestId !== null && { requestId }) })
      return response
    } catch (error) {
      const failure = init.signal?.aborted ? 'cancelled' : error instanceof Error ? error.message : String(error)
      tell({ ...exchange, ...ended(), failure })
      throw error
    }
  }
}

/** The verb that is meant, where a question travels as POST. */
function readMethod({ method = 'GET', body }: RequestInit): string {
  if (typeof body !== 'string' || !body.includes('"_method"')) return method
  try {
    const meant: unknown = JSON.parse(body)._method
    return typeof meant === 'string' ? meant : method
  } catch {
    return method
  }
}

/** Without its query, which holds what was asked for. */
function readPath(input: RequestInfo | URL): string {
  const address = typeof input === 'object' && 'url' in input ? input.url : String(input)
  try {
    return decodeURI(new URL(address, globalThis.location?.href).pathname)
  } catch {
    return address.replace(/[?#].*$/s, '')
  }
}
