import { askNode } from '../wallet/askNode.ts'
import type { Eip1193Provider } from '../wallet/Eip1193Provider.ts'

/** A node by HTTP, whichever chain it speaks for. */
export function createNodeProvider(url: string): Eip1193Provider {
  return { request: (call) => askNode(url, call) }
}
