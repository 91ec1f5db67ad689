import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

const prefix = 'whsec_'

/** A secret that is shown once, when a webhook is made or its secret renewed. */
export function newSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`
}

export type Signed = { id: string; timestamp: number; body: string }

/** HMAC-SHA256 over id, time and body, as the Standard Webhooks specification has it. */
export function sign(secret: string, { id, timestamp, body }: Signed): string {
  const key = Buffer.from(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret, 'base64')
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`
}

type Headers = { get(name: string): string | null } | { [name: string]: string | string[] | undefined }

/**
 * Verifies that the server with this secret sent the request, recently, and that it is unchanged. `body` is the text as
 * it arrived: parsed and rewritten JSON may differ.
 *
 * @example
 * ```ts
 * import { createServer } from 'node:http'
 * import { verifyWebhook } from 'countersign'
 *
 * createServer(async (request, response) => {
 *   let body = ''
 *   for await (const chunk of request.setEncoding('utf8')) body += chunk
 *   const isGenuine = verifyWebhook(process.env.WEBHOOK_SECRET ?? '', request.headers, body)
 *   response.writeHead(isGenuine ? 204 : 401).end()
 * }).listen(4000)
 * ```
 */
export function verifyWebhook(
  secret: string,
  headers: Headers,
  body: string,
  { toleranceSeconds = 300, now = new Date() }: { toleranceSeconds?: number; now?: Date } = {},
): boolean {
  const id = read(headers, 'webhook-id')
  const timestamp = Number(read(headers, 'webhook-timestamp'))
  // Without a limit, a request that was once overheard could be sent again for ever.
  if (!id || !(Math.abs(now.getTime() / 1000 - timestamp) <= toleranceSeconds)) return false
  const expected = Buffer.from(sign(secret, { id, timestamp, body }))
  const signatures = read(headers, 'webhook-signature').split(' ').slice(0, 10)
  return signatures.some((given) => {
    const bytes = Buffer.from(given)
    return bytes.length === expected.length && timingSafeEqual(bytes, expected)
  })
}

function read(headers: Headers, name: string): string {
  const value = 'get' in headers && typeof headers.get === 'function' ? headers.get(name) : headers[name as never]
  return typeof value === 'string' ? value : ''
}
