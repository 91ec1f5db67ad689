import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { isPublicAddress, lookupPublic } from '../network/publicAddress.ts'

export type PostOptions = {
  timeout: number
  allowPrivateAddresses: boolean
  signal: AbortSignal
  /** Maximum that is read of a response; the rest is ignored. */
  longestAnswer?: number
}

/**
 * Sends JSON and returns the response. Follows no redirect, and checks the address of a name in the very lookup of the
 * connection: it cannot lead elsewhere a moment later.
 */
export function postJson(
  address: string,
  headers: Record<string, string>,
  body: string,
  { timeout, allowPrivateAddresses, signal, longestAnswer = 4_096 }: PostOptions,
): Promise<{ status: number; text: string }> {
  const url = new URL(address)
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const send = url.protocol === 'https:' ? requestHttps : requestHttp
  const limit = AbortSignal.timeout(timeout)
  return new Promise((resolve, reject) => {
    if (isIP(host) && !allowPrivateAddresses && !isPublicAddress(host)) return reject(refusal(host))
    const fail = (error: Error) =>
      reject(limit.aborted ? new Error(`No response within ${timeout} milliseconds.`) : error)
    const request = send(
      url,
      {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
        agent: false,
        signal: AbortSignal.any([limit, signal]),
        ...(!allowPrivateAddresses && { lookup: lookupPublic(refusal) }),
      },
      (response) => {
        let text = ''
        const finish = () => resolve({ status: response.statusCode ?? 0, text: text.slice(0, longestAnswer) })
        response.setEncoding('utf8')
        response.on('data', (chunk: string) => {
          text += chunk
          if (text.length < longestAnswer) return
          // A receiver must not keep us reading for as long as it likes.
          finish()
          request.destroy()
        })
        response.on('end', finish)
        response.on('error', fail)
      },
    )
    request.on('error', fail)
    request.end(body)
  })
}

function refusal(host: string): Error {
  return new Error(`${host} is in a private network. To allow it, set webhooks.allowPrivateAddresses.`)
}
