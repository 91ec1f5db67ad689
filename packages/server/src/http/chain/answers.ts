import { type ChainBlockRef, type ChainSource, CountersignError, reasons } from '@countersign/protocol'
import { type Coverage, findCoverage } from '../../chain/index/queries/findCoverage.ts'
import type { Page, PageQuery } from '../../chain/index/queries/Page.ts'
import type { BlockRef, Chain } from '../../chain/nodes/Chain.ts'
import { type AnswerCache, createAnswerCache } from '../../chain/nodes/createAnswerCache.ts'
import { NodeError } from '../../chain/nodes/NodeError.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { type Responded, respond, respondWritten } from '../../endpoint/respond.ts'
import { describeBlockRef, type PagePlace } from './describe.ts'

declare module '../../context/Context.ts' {
  interface Services {
    /** Responses from the index, written once for each block, and how long its lists are. */
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
 * A response from the index, written once for the indexed block. `settled`: only a new block can change it; while older
 * blocks are read, or metadata is fetched, it may change at any time.
 */
export async function answerFromIndex<Made extends { result: unknown; settled?: boolean }>(
  context: Context,
  chain: Chain,
  coverage: Coverage,
  key: string,
  make: () => Promise<Made>,
): Promise<FromIndex<Made> | Responded<FromIndex<Made>>> {
  return answerOnce<Made>(context, chain, coverage, key, async (head) => {
    const { settled = true, ...rest } = await make()
    const output = { ...head, ...rest }
    const text = JSON.stringify(output)
    return { response: respond(output, { text }), text, settled }
  })
}

/** The same with a result that the database wrote as JSON. */
export async function answerWritten<Result>(
  context: Context,
  chain: Chain,
  coverage: Coverage,
  key: string,
  make: () => Promise<PagePlace & { written: string }>,
): Promise<Responded<FromIndex<PagePlace & { result: Result }>>> {
  return answerOnce(context, chain, coverage, key, async (head) => {
    const { written, ...rest } = await make()
    const text = `${JSON.stringify({ ...head, ...rest }).slice(0, -1)},"result":${written}}`
    return { response: respondWritten(text), text, settled: true }
  })
}

type Head = Pick<FromIndex<unknown>, 'chain' | 'block' | 'source' | 'status'>

async function answerOnce<Made>(
  context: Context,
  chain: Chain,
  coverage: Coverage,
  key: string,
  make: (head: Head) => Promise<{ response: Responded<FromIndex<Made>>; text: string; settled: boolean }>,
): Promise<Responded<FromIndex<Made>>> {
  const { status, block, start } = coverage
  const cache = openCache(context)
  const place = `${chain.id} ${block.hash} ${start} ${key}`
  const kept = status === 'SYNCED' ? cache.find(place) : undefined
  if (kept) return kept.result as Responded<FromIndex<Made>>
  const made = await make({ chain: chain.id, block: describeBlockRef(block), source: 'index', status })
  // Kept as text: an object takes several times the memory.
  if (status === 'SYNCED' && made.settled) {
    cache.keep(place, respondWritten<FromIndex<Made>>(made.text), 'final', made.text.length)
  }
  return made.response
}

/**
 * A page of a list in the index. Its rows are counted for the first page that is asked for at a block; the others have
 * the same total.
 */
export async function listCounted<Query extends PageQuery, Found extends Pick<Page<unknown>, 'total'>>(
  context: Context,
  coverage: Coverage,
  list: (context: Context, query: Query) => Promise<Found>,
  query: Query,
): Promise<Found> {
  if (!query.count || coverage.status !== 'SYNCED') return list(context, query)
  const cache = openCache(context)
  const { limit: _limit, cursor: _cursor, offset: _offset, ...counted } = query
  const place = `${coverage.block.hash} ${coverage.start} ${list.name} ${JSON.stringify(counted)}`
  const known = cache.find(place)
  if (known) return { ...(await list(context, { ...query, count: false })), total: known.result as number }
  const page = await list(context, query)
  // The first page of few rows is as quick to count as to remember.
  if (page.total !== undefined && page.total > query.limit) cache.keep(place, page.total, 'final', 8)
  return page
}

function openCache({ services }: Context): AnswerCache {
  services.indexResponses ??= createAnswerCache(mostBytes)
  return services.indexResponses
}

export type NodeAnswer = {
  block: BlockRef
  /** It can never be another: it was asked of a block that cannot be undone. */
  final?: boolean
  result: unknown
}

type FromNode<Made> = Omit<Made, 'block' | 'final'> & { chain: number; block: ChainBlockRef; source: ChainSource }

/** A response from the nodes: computed and written once, until the head moves. Without a key it is not cached. */
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

/** Optional data must not fail a response of the index: returns undefined without a node. */
export async function ignoreNodeFailure<Result>(asked: Promise<Result>): Promise<Result | undefined> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof NodeError && failing.has(error.kind)) return undefined
    throw error
  }
}

export type Wanted = { kind: Parameters<typeof findCoverage>[4]; address: string }

/** Coverage of the first of these that the index has for this caller. Throws if it has none. */
export async function requireIndexCoverage(
  { context, caller, chain }: { context: Context; caller: Caller; chain: Chain },
  wanted: readonly Wanted[],
): Promise<Coverage> {
  for (const { kind, address } of wanted) {
    if (kind === 'transactions' && !chain.settings.index?.transactions) continue
    const coverage = await findCoverage(context, caller, chain.id, address, kind)
    if (coverage?.followed) return coverage
  }
  const what = wanted[0]?.kind === 'transactions' ? 'transactions of' : ''
  const details =
    'A node alone cannot return this. See "index" (mode, contracts, addresses, transactions) of "chains" in docs/configuration.md.'
  const index = chain.settings.index
  if (!index || index.mode === 'off')
    throw new CountersignError('CommandUnavailable', `The chain ${chain.name} is not indexed here.`, { details })
  throw new CountersignError(
    'CommandUnavailable',
    `The index of ${chain.name} does not include ${what} ${wanted[0]?.address || 'the whole chain'}.`.replace(
      '  ',
      ' ',
    ),
    { details },
  )
}

/** Describes a failed part of a response. Internal details, such as database messages, are left out. */
export function describeFailure({ log }: Context, error: unknown): { error: string; reason: string } {
  if (error instanceof CountersignError) return { error: error.message, reason: error.reason }
  log.error({ err: error }, 'part of a response failed')
  return { error: reasons.internalServerError.sentence, reason: 'internalServerError' }
}
