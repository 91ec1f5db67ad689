import { Agent, request } from 'node:http'
import { keys } from '../servers/startCountersign.mjs'

/** @typedef {{ status: number, body: any }} Answer */
/** @typedef {(method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>} Call */

/**
 * Requests over kept connections. Status 0 means no response: none came in time, or the connection was cut.
 *
 * @param {string} api
 * @param {number} [patience] milliseconds
 * @returns {{ call: Call, close(): void }}
 */
export function createCaller(api, patience = 15_000) {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 })
  const { hostname, port, pathname } = new URL(api)
  return {
    close: () => agent.destroy(),
    call: (method, path, body, headers = {}) =>
      new Promise((resolve) => {
        const text = body && JSON.stringify(body)
        const fail = (/** @type {unknown} */ error) => resolve({ status: 0, body: { error: String(error) } })
        const sent = request(
          {
            agent,
            hostname,
            port,
            method,
            path: pathname + path,
            timeout: patience,
            headers: {
              'X-Parse-Application-Id': keys.appId,
              ...(text && { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) }),
              ...headers,
            },
          },
          (response) => {
            const chunks = /** @type {Buffer[]} */ ([])
            response.on('data', (chunk) => chunks.push(chunk))
            response.on('error', fail)
            response.on('end', () => {
              try {
                resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(chunks).toString()) })
              } catch (error) {
                fail(error)
              }
            })
          },
        )
        sent.on('timeout', () => sent.destroy(new Error('no response in time')))
        sent.on('error', fail)
        sent.end(text)
      }),
  }
}
