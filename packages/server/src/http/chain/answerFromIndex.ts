import type { ChainBlockRef } from '@countersign/protocol'
import type { Coverage } from '../../chain/index/queries/findCoverage.ts'
import type { Chain } from '../../chain/nodes/Chain.ts'
import { type AnswerCache, createAnswerCache } from '../../chain/nodes/createAnswerCache.ts'
import type { Context } from '../../context/Context.ts'
import { type Responded, respond } from '../Endpoint.ts'
import { describeBlockRef } from './describeBlockRef.ts'

const caches = new WeakMap<Context, AnswerCache>()
const mostBytes = 24 * 1024 * 1024

type Answered<Made> = Omit<Made, 'settled'> & {
  chain: number
  block: ChainBlockRef
  source: 'index'
  status: Coverage['status']
}

/**
 * An answer from the index, written once for the block that the index has reached. `settled` says that nothing but a new
 * block can change it; while older blocks are read, or metadata is fetched, it may change at any time.
 */
export async function answerFromIndex<Made extends { result: unknown; settled?: boolean }>(
  context: Context,
  chain: Chain,
  coverage: Coverage,
  key: string,
  make: () => Promise<Made>,
): Promise<Answered<Made> | Responded<Answered<Made>>> {
  const cache = caches.get(context) ?? createAnswerCache(mostBytes)
  caches.set(context, cache)
  const place = `${chain.id} ${coverage.block.hash} ${coverage.start} ${key}`
  const kept = cache.find(place)
  if (kept && coverage.status === 'SYNCED') return kept.result as Responded<Answered<Made>>
  const { settled = true, ...rest } = await make()
  const { status, block } = coverage
  const answer = { chain: chain.id, block: describeBlockRef(block), source: 'index' as const, status, ...rest }
  if (status !== 'SYNCED' || !settled) return answer
  const written = JSON.stringify(answer)
  cache.keep(place, respond(answer, { text: written }), 'final', written.length * 3)
  return answer
}
