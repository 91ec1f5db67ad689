import { type ClientRequest, type IncomingHttpHeaders, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'

/** How long (ms) a server or proxy may take to respond. */
export const patience = 10_000
const mostBytes = 256 * 1024
/** Pause (ms) before a body. A proxy that refuses it by its length closes the connection, which can lose the response if bytes are on their way. */
const refusalTime = 300

export type Answer = {
  status: number
  body: Record<string, unknown> | undefined
  headers: IncomingHttpHeaders
  cookies: string[]
  /** Target of a redirect. */
  location?: string
  /** Milliseconds from the first byte of the body to its end. */
  spread: number
}

type AskOptions = {
  method?: string
  /** Side of the connection: which of this machine's addresses, or which family, calls. */
  from?: Pick<RequestOptions, 'localAddress' | 'family'>
  /** Body in parts, sent as they come. */
  content?: AsyncIterable<Buffer>
}

/** One request. A redirection is not followed: it may lead to where the operator did not mean to send anything. */
export function ask(url: string, sent: Record<string, string> = {}, options: AskOptions = {}): Promise<Answer> {
  const { method = 'GET', from = {}, content } = options
  const request = url.startsWith('https:') ? requestHttps : requestHttp
  const headers = { Accept: 'application/json', ...sent }
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(patience)
    const asked = request(url, { method, headers, agent: false, signal, ...from })
    asked.once('error', reject)
    asked.once('response', async (response) => {
      let first: number | undefined
      const chunks: Buffer[] = []
      let size = 0
      try {
        for await (const chunk of response) {
          first ??= performance.now()
          size += chunk.length
          if (size <= mostBytes) chunks.push(chunk)
        }
      } catch (error) {
        return reject(error)
      } finally {
        asked.destroy()
      }
      const { statusCode: status = 0, headers: answered } = response
      const { location } = answered
      resolve({
        status,
        body: size > mostBytes ? undefined : parse(Buffer.concat(chunks).toString('utf8')),
        headers: answered,
        cookies: answered['set-cookie'] ?? [],
        ...(status >= 300 && status < 400 && location !== undefined && { location }),
        spread: first === undefined ? 0 : performance.now() - first,
      })
    })
    if (content) sendBody(asked, content).catch(reject)
    else asked.end()
  })
}

async function sendBody(asked: ClientRequest, content: AsyncIterable<Buffer>): Promise<void> {
  let isAnswered = false
  asked.once('response', () => {
    isAnswered = true
  })
  asked.flushHeaders()
  await pause(refusalTime)
  for await (const chunk of content) {
    if (isAnswered) return
    asked.write(chunk)
  }
  asked.end()
}

function parse(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
