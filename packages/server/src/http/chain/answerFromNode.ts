import type { BlockRef, Chain } from '../../chain/nodes/Chain.ts'
import { respond } from '../Endpoint.ts'
import { describeBlockRef } from './describeBlockRef.ts'

export type NodeAnswer = {
  block: BlockRef
  /** It can never be another: it was asked of a block that cannot be undone. */
  final?: boolean
  result: unknown
}

/** An answer straight from the nodes: worked out and written once, until the head moves. Without a key it is not kept. */
export async function answerFromNode(
  chain: Chain,
  key: string | undefined,
  make: () => Promise<NodeAnswer>,
): Promise<object> {
  if (key === undefined) {
    const { block, final: _, ...rest } = await make()
    return { chain: chain.id, block: describeBlockRef(block), source: 'node', ...rest }
  }
  const { value, source } = await chain.remember(key, async () => {
    const { block, final = false, ...rest } = await make()
    const answer = { chain: chain.id, block: describeBlockRef(block), source: 'cache', ...rest }
    const written = JSON.stringify(answer)
    return { value: { answer, written }, final, size: written.length * 3 }
  })
  const { answer, written } = value
  return source === 'cache' ? respond(answer, { text: written }) : { ...answer, source }
}
