import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { proofPath, proofPrefix } from '../network/attackProof.ts'

/** The target is not known to belong to the caller. */
export class NotProven extends Error {
  override name = 'NotProven'
}

/** True for addresses of this machine. */
export function isLoopback(url: URL): boolean {
  return /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname)
}

/**
 * Proves that the caller owns a server that is not on this machine: it has the same token file. This is the first
 * request; nothing else is sent before it.
 */
export async function proveOwnership(origin: string, token: string): Promise<void> {
  const nonce = randomBytes(32).toString('hex')
  const { status, text } = await get(`${origin}${proofPath}?nonce=${nonce}`)
  if (status !== 200)
    throw new NotProven(
      `${origin} gives no proof (status ${status}). Set attackTokenFile on the server, and put the same token there.`,
    )
  const expected = createHmac('sha256', token).update(`${proofPrefix}${nonce}`).digest()
  const given = Buffer.from(/"proof":"([0-9a-f]{64})"/.exec(text)?.[1] ?? '', 'hex')
  if (given.length !== expected.length || !timingSafeEqual(given, expected))
    throw new NotProven(`The token of ${origin} is another one.`)
}

/** One request, without following a redirect. */
export function get(url: string): Promise<{ status: number; text: string }> {
  return new Promise((resolve, reject) => {
    const send = url.startsWith('https:') ? requestHttps : requestHttp
    const asked = send(url, { agent: false, signal: AbortSignal.timeout(10_000) }, async (response) => {
      try {
        let text = ''
        for await (const chunk of response) if (text.length < 256 * 1024) text += chunk
        resolve({ status: response.statusCode ?? 0, text })
      } catch (error) {
        reject(error)
      }
    })
    asked.once('error', reject)
    asked.end()
  })
}
