import type { RpcCall } from './Chain.ts'
import { postText } from './postText.ts'

/** More than a full block with receipts takes; a node that sends more is cut off. */
const largest = 128 * 1024 * 1024

export type Posted = { status: number; retryAfter: number | undefined; body: unknown }

/** Sends calls as JSON-RPC, one as it is and several as a batch; the id of a call is its place. */
export async function post(url: string, calls: readonly RpcCall[], timeout: number): Promise<Posted> {
  const bodies = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
  const { text, ...rest } = await postText(url, bodies.length === 1 ? bodies[0] : bodies, timeout, largest)
  return { ...rest, body: readJson(text) }
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
