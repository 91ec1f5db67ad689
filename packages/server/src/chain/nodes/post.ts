import type { RpcCall } from './Chain.ts'
import { NodeFailure } from './NodeFailure.ts'

/** More than a full block with receipts takes; a node that sends more is cut off. */
const largest = 128 * 1024 * 1024

export type Posted = { status: number; retryAfter: number | undefined; body: unknown }

/** Sends calls as JSON-RPC, one as it is and several as a batch; the id of a call is its place. */
export async function post(url: string, calls: readonly RpcCall[], timeout: number): Promise<Posted> {
  const bodies = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
  const { username, password, href } = withoutCredentials(url)
  let response: Response
  try {
    response = await fetch(href, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(username && {
          authorization: `Basic ${Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64')}`,
        }),
      },
      body: JSON.stringify(bodies.length === 1 ? bodies[0] : bodies),
      redirect: 'error',
      signal: AbortSignal.timeout(timeout),
    })
    const seconds = Number(response.headers.get('retry-after'))
    const text = await readText(response)
    return {
      status: response.status,
      retryAfter: seconds > 0 ? seconds * 1_000 : undefined,
      body: readJson(text),
    }
  } catch (error) {
    // What fetch says may hold the address, and the address a key.
    const name = (error as { name?: string }).name
    const code = (error as { cause?: { code?: string } }).cause?.code
    if (name === 'TimeoutError') throw new NodeFailure(`no answer within ${timeout} ms`, false, true)
    throw new NodeFailure(`no connection (${code ?? name})`, false, name === 'TooLarge')
  }
}

async function readText(response: Response): Promise<string> {
  if (!response.body) return ''
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > largest) throw Object.assign(new Error('too large'), { name: 'TooLarge' })
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const withoutCredentials = (url: string) => {
  const { username, password } = new URL(url)
  if (!username) return { username, password, href: url }
  const bare = new URL(url)
  bare.username = ''
  bare.password = ''
  return { username, password, href: bare.href }
}
