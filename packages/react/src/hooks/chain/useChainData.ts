'use client'

import type { CountersignError } from '@countersign/protocol'
import { useMemo } from 'react'
import type { Pages } from '../../core/chain/data/askChain.ts'
import type {
  ChainEndpoint,
  ChainInfo,
  ChainQuestionAnswer,
  ChainQuestionInput,
  ChainResult,
  ChainResultPage,
  Portfolio,
  PortfolioInput,
  Transfer,
  TransfersInput,
} from '../../core/chain/data/ChainData.ts'
import { getChainPages, getChainReading, type PagesReading } from '../../core/chain/data/chainReadings.ts'
import { createTransferHandlers, findTransferQuery } from '../../core/chain/data/transferEvents.ts'
import type { Query } from '../../core/documents/Query.ts'
import type { Reading } from '../../core/readings/createReading.ts'
import type { ClassName } from '../../core/values/Register.ts'
import { useClient } from '../client/useClient.ts'
import { type ReadOptions, type UseAsync, useReading, useSelected } from '../client/useReading.ts'
import { useSubscription } from '../documents/useLiveDocuments.ts'

type At = Pick<ChainResult<unknown>, 'chain' | 'block' | 'source'>

type WithSource<Reading> = Reading & {
  /** Absent where there is nothing on the chain, as with an address without a name. */
  readonly at?: At
} & (Reading extends { readonly status: 'success' }
    ? {
        /** The server still reads older blocks, so that something may be lacking. */
        readonly isSyncing: boolean
      }
    : { readonly isSyncing?: boolean })

/** As a reading of documents, and once it is there with the chain, the block and the source of what was read. */
export type UseChainData<Result> = WithSource<UseAsync<Result>>

/** Separates a hook's options from its input. */
function splitOptions<Data, Selected>(
  given: object & ReadOptions<Data, Selected>,
): [object, ReadOptions<Data, Selected>] {
  const { enabled, keepPrevious, select, initialData, placeholderData, ...rest } = given
  const { staleTime, refetchInterval, refetchOnFocus, refetchOnReconnect, retry, ...input } = rest
  const shown = { enabled, keepPrevious, select, initialData, placeholderData }
  return [input, { ...shown, staleTime, refetchInterval, refetchOnFocus, refetchOnReconnect, retry }]
}

/** Reads one chain endpoint. Components with the same input share one reading. */
function useOnChain<Data, Selected>(
  name: ChainEndpoint,
  given: (object & ReadOptions<Data, Selected>) | undefined,
): UseChainData<Selected> {
  const client = useClient()
  const [input, { select, initialData, placeholderData, ...options }] = splitOptions<Data, Selected>(given ?? {})
  const reading = getChainReading(client, name, given && input) as Reading<Answer<Data> | null>
  const { data: answer, ...rest } = useReading<Answer<Data> | null>(reading, {
    ...options,
    initialData: useAnswer(initialData),
    placeholderData: useAnswer(placeholderData),
  })
  const at = useAt(answer)
  const data = answer ? answer.result : (answer as Data | undefined)
  const selected = useSelected(data, select)
  const read = answer?.block
    ? { data: selected, at, isSyncing: answer.status === 'SYNCING' }
    : { data: selected, isSyncing: false }
  return { ...rest, ...read } as UseChainData<Selected>
}

/** Chain result, or a placeholder for it without a block. */
type Answer<Data> = Partial<Omit<ChainResult<unknown>, 'result'>> & { readonly result: Data }

function useAnswer<Data>(result: Data | undefined): Answer<Data> | undefined {
  return useMemo(() => (result === undefined ? undefined : { result }), [result])
}

/** Block and source of a result; the same object until they change. */
function useAt(answer: Partial<At> | null | undefined): At | undefined {
  const { chain, block, source } = answer ?? {}
  return useMemo(() => (block && chain && source ? { chain, block, source } : undefined), [chain, block, source])
}

type Rows = {
  readonly hasMore: boolean
  /** How many there are, up to 10,000; absent where the server does not count. */
  readonly total?: number
  /** Why the next page could not be read. */
  readonly moreError?: CountersignError
}

type WithRows<State> = State extends { readonly status: 'success' } ? State & Rows : State & Partial<Rows>

export type UseChainPages<Row, Selected = readonly Row[]> = WithRows<UseChainData<Selected>> & {
  /** Reads the next page to the end of `data`, if there is one. */
  readonly loadMore: () => Promise<void>
}

/** Rows of a chain, page by page. Components that ask the same share one reading, and its pages. */
function useOnChainPages<Row, Selected>(
  name: ChainEndpoint,
  given: object & ReadOptions<readonly Row[], Selected>,
): UseChainPages<Row, Selected> & { readonly reading: PagesReading<Row> } {
  const client = useClient()
  const [input, { select, initialData, placeholderData, ...options }] = splitOptions<readonly Row[], Selected>(given)
  const reading = getChainPages<Row>(client, name, input)
  const { data: page, ...rest } = useReading<Partial<Pages<Row>>>(reading as Reading<Partial<Pages<Row>>>, {
    ...options,
    initialData: useAnswer(initialData),
    placeholderData: useAnswer(placeholderData),
  })
  const at = useAt(page)
  const { result, status, cursor, total, moreError } = page ?? {}
  const data = useSelected(result, select)
  return {
    ...rest,
    data,
    ...(page && { at, isSyncing: status === 'SYNCING', hasMore: cursor !== undefined && !rest.isPlaceholderData }),
    ...(total !== undefined && { total }),
    ...(moreError && { moreError }),
    loadMore: reading.loadMore,
    reading,
  } as UseChainPages<Row, Selected> & { readonly reading: PagesReading<Row> }
}

/** Result of a question without its block and source. */
type DataOf<Name extends ChainEndpoint> =
  ChainQuestionAnswer<Name> extends infer Answer
    ? Answer extends { readonly result: infer Result }
      ? Result
      : Answer
    : never

/** Reads one question. Where its input has required fields, nothing is read while there is no input. */
export type ChainHook<Name extends ChainEndpoint, Data = DataOf<Name>> =
  object extends ChainQuestionInput<Name>
    ? <Selected = Data>(input?: ChainQuestionInput<Name> & ReadOptions<Data, Selected>) => UseChainData<Selected>
    : <Selected = Data>(
        input: (ChainQuestionInput<Name> & ReadOptions<Data, Selected>) | undefined,
      ) => UseChainData<Selected>

function chainHook<Name extends ChainEndpoint>(name: Name, absent?: object): ChainHook<Name> {
  return function useQuestion(input = absent) {
    return useOnChain(name, input)
  } as ChainHook<Name>
}

type RowOf<Name extends ChainEndpoint> = ChainQuestionAnswer<Name> extends ChainResultPage<infer Row> ? Row : never

/** Reads rows page by page. */
export type ChainPagesHook<Name extends ChainEndpoint, Row = RowOf<Name>> = <Selected = readonly Row[]>(
  input?: ChainQuestionInput<Name> & ReadOptions<readonly Row[], Selected>,
) => UseChainPages<Row, Selected>

function pagesHook<Name extends ChainEndpoint>(name: Name): ChainPagesHook<Name> {
  return function usePages(input = {}) {
    const { reading: _, ...pages } = useOnChainPages(name, input)
    return pages
  } as ChainPagesHook<Name>
}

/**
 * The chains that the server reads, with their heads and how far they are indexed.
 *
 * @example
 * const chains = useChains()
 * if (chains.status === 'success') return chains.data.map(({ id, name }) => <option key={id}>{name}</option>)
 */
export function useChains<Selected = readonly ChainInfo[]>(
  options: ReadOptions<readonly ChainInfo[], Selected> = {},
): UseAsync<Selected> {
  const client = useClient()
  return useReading(getChainReading(client, 'listChains', {}), options)
}

/**
 * The name and avatar of an address; null if it has none. Defaults to the wallet's address and the chain `eth`.
 *
 * @example
 * const name = useEnsName({ address })
 * return <p>{name.status === 'success' && name.data ? name.data.name : shortenAddress(address)}</p>
 */
export const useEnsName = /*#__PURE__*/ chainHook('getNameOf', {})

/**
 * Address of a name; null if it has none. Reads nothing without an input.
 *
 * @example
 * const found = useEnsAddress({ name: 'ada.eth' })
 * if (found.status === 'success') return <p>{found.data?.address ?? 'nobody'}</p>
 */
export const useEnsAddress = /*#__PURE__*/ chainHook('resolveName')

/**
 * Native balance of an address: the wallet's by default.
 *
 * @example
 * const balance = useNativeBalance()
 * if (balance.status === 'success') return <p>{formatUnits(balance.data.balance, balance.data.decimals)} {balance.data.symbol}</p>
 */
export const useNativeBalance = /*#__PURE__*/ chainHook('getNativeBalance', {})

/**
 * The ERC-20 tokens of an address: the wallet's, unless one is given.
 *
 * @example
 * const tokens = useTokenBalances({ chain: 'polygon' })
 * if (tokens.status === 'success') return tokens.data.map(({ token, symbol }) => <p key={token}>{symbol}</p>)
 */
export const useTokenBalances = /*#__PURE__*/ chainHook('listTokenBalances', {})

/**
 * Price of a token, from the deepest known pool on the chain; null if there is none. Reads nothing without an input.
 *
 * @example
 * const price = useTokenPrice({ token, chain: 'eth' })
 * if (price.status === 'success') return <p>{price.data?.usd ?? 'unknown'}</p>
 */
export const useTokenPrice = /*#__PURE__*/ chainHook('getTokenPrice')

/**
 * The name, symbol and decimals of an ERC-20 token. Nothing is read while there is no input.
 *
 * @example
 * const token = useToken({ token: '0x6B175474E89094C44Da98b954EedeAC495271d0F', chain: 'eth' })
 * if (token.status === 'success') return <p>{token.data.symbol}</p>
 */
export const useToken = /*#__PURE__*/ chainHook('getToken')

/**
 * The NFTs of an address: the wallet's, unless one is given.
 *
 * @example
 * const nfts = useNfts({ limit: 20 })
 * if (nfts.status === 'success') return nfts.data.map(({ token, tokenId, name }) => <p key={token + tokenId}>{name} {tokenId}</p>)
 */
export const useNfts = /*#__PURE__*/ pagesHook('listNfts')

/**
 * Assets of an address on all chains of the server: the wallet's by default.
 *
 * @example
 * const portfolio = usePortfolio()
 * if (portfolio.status === 'success') return portfolio.data.chains.map(({ name, tokens }) => <p key={name}>{tokens?.length}</p>)
 */
export function usePortfolio<Selected = Portfolio>(
  input: PortfolioInput & ReadOptions<Portfolio, Selected> = {},
): UseAsync<Selected> {
  const client = useClient()
  const [asked, options] = splitOptions<Portfolio, Selected>(input)
  return useReading(getChainReading(client, 'getPortfolio', asked), options)
}

/**
 * The transactions that an address sent or received, the newest first: the wallet's, unless one is given.
 *
 * @example
 * const transactions = useTransactions({ limit: 20 })
 * if (transactions.status === 'success' && transactions.hasMore) return <button onClick={transactions.loadMore}>More</button>
 */
export const useTransactions = /*#__PURE__*/ pagesHook('listTransactions')

const noTransfers = { className: 'Transfer' } as unknown as Query<ClassName>

/**
 * Transfers of tokens and NFTs from and to an address, newest first. Defaults to the wallet's address. With `live`,
 * new ones appear as soon as the server sees them.
 *
 * @example
 * const received = useTransfers({ direction: 'to', kind: 'erc20', live: true })
 * if (received.status === 'success') return received.data.map(({ transaction, amount }) => <p key={transaction}>{String(amount)}</p>)
 */
export function useTransfers<Selected = readonly Transfer[]>({
  live = false,
  ...input
}: TransfersInput & ReadOptions<readonly Transfer[], Selected> & { readonly live?: boolean } = {}): UseChainPages<
  Transfer,
  Selected
> {
  const client = useClient()
  const { reading, ...pages } = useOnChainPages<Transfer, Selected>('listTransfers', input)
  const query = findTransferQuery(client, input, pages.at?.chain)
  const handlers = useMemo(() => createTransferHandlers(reading, input.order), [reading, input.order])
  useSubscription({ query: query ?? noTransfers, enabled: live && query !== undefined, ...handlers })
  return pages as UseChainPages<Transfer, Selected>
}
