import { Agent, type IncomingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps, Agent as SecureAgent } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import { headers as names } from '@countersign/protocol'

/** Caller of a request. */
export type Actor = { name: string; token?: string; masterKey?: string; installationId?: string }

export type Sent = {
  as: Actor
  method: string
  /** Path under the mount; or from the root, with `isRooted`. */
  path: string
  isRooted?: boolean
  /** JSON value, or the text or bytes of the body. */
  body?: unknown
  headers?: Record<string, string>
  /** Sends this application id; empty for none. */
  appId?: string
}

export type Answer = {
  sent: Sent
  status: number
  headers: IncomingHttpHeaders
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: responses of a server under attack have any form
  body: any
  ms: number
}

export type Target = ReturnType<typeof createTarget>

export type TargetOptions = {
  /** Scheme, host and port. */
  origin: string
  mount: string
  appId: string
  javascriptKey?: string | undefined
  /** Called with each response. */
  onAnswer?: (answer: Answer) => void
}

const mostBytes = 4 * 1024 * 1024
/** Time (ms) for a response. */
const patience = 30_000
/** Requests under way at once. */
const atOnce = 8

/** Sends requests to one host. Redirects are not followed: they could lead to a server of somebody else. */
export function createTarget({ origin, mount, appId, javascriptKey, onAnswer }: TargetOptions) {
  const isSecure = origin.startsWith('https:')
  const agent = isSecure
    ? new SecureAgent({ keepAlive: true, maxSockets: atOnce })
    : new Agent({ keepAlive: true, maxSockets: atOnce })
  let requests = 0
  let limited = 0

  /** One request; repeated while the server is overloaded. */
  async function send(sent: Sent): Promise<Answer> {
    for (let attempt = 1; ; attempt++) {
      requests++
      const answer = await sendOnce(sent)
      if (answer.status === 429) limited++
      const isBusy = answer.status === 503 && answer.headers['retry-after'] !== undefined
      if (!isBusy || attempt === 10) {
        onAnswer?.(answer)
        return answer
      }
      await pause(1_000)
    }
  }

  function sendOnce(sent: Sent): Promise<Answer> {
    const start = performance.now()
    const content = writeContent(sent.body)
    const url = `${origin}${sent.isRooted ? '' : mount}${sent.path}`
    return new Promise((resolve, reject) => {
      const send = isSecure ? requestHttps : requestHttp
      const asked = send(url, {
        method: sent.method,
        agent,
        headers: headersOf(sent, content),
        signal: AbortSignal.timeout(patience),
      })
      asked.once('error', (error: NodeJS.ErrnoException) => {
        const isCut = ['ECONNRESET', 'EPIPE'].includes(error.code ?? '')
        // A server may close the connection under a body that it refuses.
        if (!isCut || content === undefined || content.length < 64 * 1024) return reject(error)
        resolve({ sent, status: 413, headers: {}, text: '', body: {}, ms: performance.now() - start })
      })
      asked.once('response', async (response) => {
        const chunks: Buffer[] = []
        let size = 0
        try {
          for await (const chunk of response) {
            size += chunk.length
            if (size <= mostBytes) chunks.push(chunk)
          }
        } catch (error) {
          return reject(error)
        }
        const text = Buffer.concat(chunks).toString('utf8')
        const { statusCode: status = 0, headers } = response
        resolve({ sent, status, headers, text, body: parse(text), ms: performance.now() - start })
      })
      asked.end(content)
    })
  }

  function headersOf(sent: Sent, content: Buffer | undefined): Record<string, string> {
    const { token, masterKey, installationId } = sent.as
    const id = sent.appId ?? appId
    return {
      ...(id !== '' && { [names.applicationId]: id }),
      ...(javascriptKey !== undefined && { [names.javascriptKey]: javascriptKey }),
      ...(token !== undefined && { [names.sessionToken]: token }),
      ...(masterKey !== undefined && { [names.masterKey]: masterKey }),
      ...(installationId !== undefined && { [names.installationId]: installationId }),
      ...(content !== undefined && { 'Content-Type': 'application/json', 'Content-Length': String(content.length) }),
      ...sent.headers,
    }
  }

  return {
    origin,
    mount,
    appId,
    send,
    headersOf: (sent: Sent) => headersOf(sent, writeContent(sent.body)),
    counts: () => ({ requests, limited }),
    close: () => agent.destroy(),
  }
}

function writeContent(body: unknown): Buffer | undefined {
  if (body === undefined) return undefined
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

function parse(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
