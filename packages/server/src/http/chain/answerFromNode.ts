import type { ChainBlockRef, ChainSource } from '@countersign/protocol'
import type { BlockRef, Chain } from '../../chain/nodes/Chain.ts'
import { type Responded, respond } from '../Endpoint.ts'
import { describeBlockRef } from './describeBlockRef.ts'

export type NodeAnswer = {
  block: BlockRef
  /** It can never be another: it was asked of a block that cannot be undone. */
  final?: boolean
  result: unknown
}

type Answered<Made> = Omit<Made, 'block' | 'final'> & { chain: number; block: ChainBlockRef; source: ChainSource }

/** An answer straight from the nodes: worked out and written once, until the head moves. Without a key it is not kept. */
export async function answerFromNode<Made extends NodeAnswer>(
  chain: Chain,
  key: string | undefined,
  make: () => Promise<Made>,
): Promise<Answered<Made> | Responded<Answered<Made>>> {
  const place = (made: Made, source: ChainSource): Answered<Made> => {
    const { block, final: _, ...rest } = made
    return { chain: chain.id, block: describeBlockRef(block), source, ...rest }
  }
  if (key === undefined) return place(await make(), 'node')
  const { value, source } = await chain.remember(key, async () => {
    const made = await make()
    const answer = place(made, 'cache')
    const written = JSON.stringify(answer)
    return { value: { answer, written }, final: made.final ?? false, size: written.length * 3 }
  })
  const { answer, written } = value
  return source === 'cache' ? respond(answer, { text: written }) : { ...answer, source }
}
