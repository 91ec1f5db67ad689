import type { RpcCall } from './Chain.ts'
import { postText } from './postText.ts'

/** More than a full block with receipts takes; a node that sends more is cut off. */
const largest = 32 * 1024 * 1024
/** The trace of the deepest call that there can be (1,024 levels, two brackets each), and some more. */
const deepest = 2_500

export type Posted = { status: number; retryAfter: number | undefined; body: unknown }

/** Sends calls as JSON-RPC, one as it is and several as a batch; the id of a call is its place. */
export async function post(url: string, calls: readonly RpcCall[], timeout: number): Promise<Posted> {
  const bodies = calls.map(({ method, params }, id) => ({ jsonrpc: '2.0', id, method, params }))
  const { text, ...rest } = await postText(url, bodies.length === 1 ? bodies[0] : bodies, timeout, largest)
  return { ...rest, body: readJson(text) }
}

function readJson(text: string): unknown {
  if (isTooDeep(text)) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Who walks through what is nested without end runs out of stack. Brackets in texts are counted, too: there are few. */
function isTooDeep(text: string): boolean {
  let depth = 0
  for (let place = 0; place < text.length; place++) {
    const sign = text.charCodeAt(place)
    if (sign === 0x5b || sign === 0x7b) depth++
    else if (sign === 0x5d || sign === 0x7d) depth--
    if (depth > deepest) return true
  }
  return false
}
