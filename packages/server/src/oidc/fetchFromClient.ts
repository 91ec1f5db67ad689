import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP, type LookupFunction } from 'node:net'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { isPublicAddress, lookupPublic } from '../network/publicAddress.ts'
import { readLimited } from '../network/readLimited.ts'

declare module '../context/Context.ts' {
  interface Services {
    /** Look-up of hosts of clients where it is not that of the internet: tests have none. */
    clientLookup?: LookupFunction
  }
}

/** Maximum bytes of a client's response. */
const mostBytes = 32 * 1024

/** Time (ms) for a client to respond. */
const patience = 2_500

/** Returns true for a host of `oidc.metadataHosts`. */
export function isMetadataHost({ config }: Context, url: string): boolean {
  if (!URL.canParse(url)) return false
  const { host, protocol } = new URL(url)
  const { metadataHosts } = config.oidc
  return protocol === 'https:' && (metadataHosts.includes('*') || metadataHosts.includes(host))
}

/**
 * Every connection that the provider opens: logout notices to clients of an operator, and documents of hosts that the
 * operator named. Anything else is refused, so that no client makes the server reach into its network.
 */
export const createClientFetch =
  (context: Context) =>
  async (url: string | URL, options: RequestInit = {}): Promise<Response> => {
    const address = String(url)
    const { method = 'GET', headers = {}, body } = options
    const sent = body === undefined || body === null ? {} : { body: String(body) }
    const init = { method, headers, ...sent, redirect: 'manual' as const, signal: AbortSignal.timeout(patience) }
    // The operator's own applications may be in a private network.
    if (method === 'POST' && (await isLogoutAddress(context, address))) return fetch(address, init)
    if (!isMetadataHost(context, address)) throw new Error(`The host of ${address} is not in oidc.metadataHosts.`)
    return fetchPublic(address, init, context.services.clientLookup ?? lookupPublic(refusal))
  }

async function isLogoutAddress({ db }: Context, address: string): Promise<boolean> {
  const found = await db.query(sql`
    select 1 as one from countersign.oidc_clients
    where not is_registered and metadata ->> 'backchannel_logout_uri' = ${address}
    limit 1`)
  return found.length > 0
}

const refusal = (host: string) => new Error(`${host} does not lead to the internet.`)

/** The address is judged in the look-up of the connection itself: a name cannot lead elsewhere a moment later. */
function fetchPublic(
  address: string,
  { method = 'GET', headers, body, signal }: RequestInit,
  lookup: LookupFunction,
): Promise<Response> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return new Promise((resolve, reject) => {
    if (url.username || url.password) return reject(new Error('The URL contains a password.'))
    if (isIP(host) && !isPublicAddress(host)) return reject(refusal(host))
    const sent = request(
      url,
      {
        method,
        headers: { ...Object.fromEntries(new Headers(headers)), 'accept-encoding': 'identity' },
        agent: false,
        lookup,
        ...(signal && { signal }),
      },
      (response) => read(response).then(resolve, reject),
    )
    sent.on('error', reject)
    sent.end(typeof body === 'string' ? body : undefined)
  })
}

async function read(response: IncomingMessage): Promise<Response> {
  const content = await readLimited(response, mostBytes)
  const headers = new Headers()
  for (const name of ['content-type', 'cache-control', 'expires', 'date']) {
    const value = response.headers[name]
    if (typeof value === 'string') headers.set(name, value)
  }
  const status = response.statusCode ?? 502
  const hasBody = status >= 200 && status !== 204 && status !== 304
  return new Response(hasBody ? new Uint8Array(content) : null, {
    status: hasBody ? status : 204,
    headers,
  })
}
