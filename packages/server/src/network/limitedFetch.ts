import { readLimited } from './readLimited.ts'

/** Maximum bytes of a provider's response. */
const mostBytes = 512 * 1024

/** Time (ms) for a provider to respond. */
const patience = 10_000

export type LimitedFetch = (url: string, options: object) => Promise<Response>

/**
 * Connects only to the named hosts, follows no redirect, and limits the size of the response: a provider must not lead
 * the server elsewhere, nor fill its memory.
 */
export function createLimitedFetch(hosts: ReadonlySet<string>, allowsHttp: boolean): LimitedFetch {
  return async (url, options) => {
    checkHost(hosts, allowsHttp, url)
    const { signal, ...init } = options as RequestInit
    const limit = AbortSignal.timeout(patience)
    const response = await fetch(url, {
      ...init,
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, limit]) : limit,
    })
    const content = await readLimited(response.body, mostBytes)
    const { status, statusText, headers } = response
    const kept = new Headers(headers)
    // The content is decoded by now.
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) kept.delete(name)
    const isEmpty = status === 204 || status === 304
    return new Response(isEmpty ? null : new Uint8Array(content), { status, statusText, headers: kept })
  }
}

export function checkHost(hosts: ReadonlySet<string>, allowsHttp: boolean, url: string): void {
  const { host, protocol, username, password } = new URL(url)
  if (protocol !== 'https:' && !(allowsHttp && protocol === 'http:')) throw new Error(`${url} is not https.`)
  if (username || password) throw new Error(`The URL of ${host} must not contain a password.`)
  if (!hosts.has(host)) throw new Error(`The host ${host} is not in the setting hosts of the provider.`)
}
