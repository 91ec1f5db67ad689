import { type ChainBlockRef, type ChainSource, CountersignError, reasons } from '@countersign/protocol'
import { type Coverage, findCoverage } from '../../chain/index/queries/findCoverage.ts'
import type { BlockRef, Chain } from '../../chain/nodes/Chain.ts'
import { type AnswerCache, createAnswerCache } from '../../chain/nodes/createAnswerCache.ts'
import { NodeError } from '../../chain/nodes/NodeError.ts'
import type { Context } from '../../context/Context.ts'
import { type Responded, respond } from '../Endpoint.ts'
import { describeBlockRef } from './describe.ts'

declare module '../../context/Context.ts' {
  interface Services {
    /** Responses from the index, written once for each block. */
    indexResponses?: AnswerCache
  }
}

const mostBytes = 24 * 1024 * 1024

type FromIndex<Made> = Omit<Made, 'settled'> & {
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
): Promise<FromIndex<Made> | Responded<FromIndex<Made>>> {
  context.services.indexResponses ??= createAnswerCache(mostBytes)
  const cache = context.services.indexResponses
  const place = `${chain.id} ${coverage.block.hash} ${coverage.start} ${key}`
  const kept = cache.find(place)
  if (kept && coverage.status === 'SYNCED') return kept.result as Responded<FromIndex<Made>>
  const { settled = true, ...rest } = await make()
  const { status, block } = coverage
  const answer = { chain: chain.id, block: describeBlockRef(block), source: 'index' as const, status, ...rest }
  if (status !== 'SYNCED' || !settled) return answer
  const written = JSON.stringify(answer)
  cache.keep(place, respond(answer, { text: written }), 'final', written.length * 3)
  return answer
}

export type NodeAnswer = {
  block: BlockRef
  /** It can never be another: it was asked of a block that cannot be undone. */
  final?: boolean
  result: unknown
}

type FromNode<Made> = Omit<Made, 'block' | 'final'> & { chain: number; block: ChainBlockRef; source: ChainSource }

/** An answer straight from the nodes: worked out and written once, until the head moves. Without a key it is not kept. */
export async function answerFromNode<Made extends NodeAnswer>(
  chain: Chain,
  key: string | undefined,
  make: () => Promise<Made>,
): Promise<FromNode<Made> | Responded<FromNode<Made>>> {
  const place = (made: Made, source: ChainSource): FromNode<Made> => {
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

const failing = new Set(['down', 'busy', 'nonsense'])

/** What makes an answer of the index richer must not take it away: without a node it is undefined. */
export async function ignoreNodeFailure<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof NodeError && failing.has(error.kind)) return undefined
    throw error
  }
}

export type Wanted = { kind: Parameters<typeof findCoverage>[3]; address: string }

/** What the index knows of the first of these that it follows. What it follows not at all it must not answer for. */
export async function requireIndexCoverage(
  context: Context,
  chain: Chain,
  wanted: readonly Wanted[],
): Promise<Coverage> {
  for (const { kind, address } of wanted) {
    if (kind === 'transactions' && !chain.settings.index?.transactions) continue
    const coverage = await findCoverage(context, chain.id, address, kind)
    if (coverage?.followed) return coverage
  }
  const what = wanted[0]?.kind === 'transactions' ? 'transactions of' : ''
  const details =
    'A node alone cannot answer this. See "index" (mode, contracts, addresses, transactions) of "chains" in docs/configuration.md.'
  const index = chain.settings.index
  if (!index || index.mode === 'off')
    throw new CountersignError('CommandUnavailable', `The chain ${chain.name} is not indexed here.`, { details })
  throw new CountersignError(
    'CommandUnavailable',
    `The index of ${chain.name} does not follow ${what} ${wanted[0]?.address || 'the whole chain'}.`.replace('  ', ' '),
    { details },
  )
}

/** What went wrong with a part of an answer. Nothing of the server's own leaves it, such as what a database says. */
export function describeFailure({ log }: Context, error: unknown): { error: string; reason: string } {
  if (error instanceof CountersignError) return { error: error.message, reason: error.reason }
  log.error({ err: error }, 'a part of an answer failed')
  return { error: reasons.internalServerError.sentence, reason: 'internalServerError' }
}
