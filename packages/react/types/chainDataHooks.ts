// For each hook of chain data what must compile and what must not; `types.test.ts` holds the list complete. Compiling is the test.

import {
  useChains,
  useEnsAddress,
  useEnsName,
  useNativeBalance,
  useNfts,
  usePortfolio,
  useToken,
  useTokenBalances,
  useTokenPrice,
  useTransactions,
  useTransfers,
} from '../src/chain.ts'

const address = '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48'

export function useChainsTypes(): void {
  useChains({ select: (chains) => chains.map(({ name }) => name) }).data satisfies readonly string[] | undefined
  // @ts-expect-error a list is not one
  useChains().data?.name
}

export function useEnsNameTypes(): void {
  useEnsName({ address }).data?.name satisfies string | undefined
  // @ts-expect-error a name is looked up by an address
  useEnsName({ name: 'ada.eth' })
}

export function useEnsAddressTypes(): void {
  useEnsAddress({ name: 'ada.eth', staleTime: 60_000 }).data?.address satisfies string | undefined
  useEnsAddress(undefined)
  // @ts-expect-error the name is missing
  useEnsAddress({})
}

export function useNativeBalanceTypes(): void {
  useNativeBalance({ select: ({ balance }) => balance }).data satisfies bigint | undefined
  // @ts-expect-error no such chain
  useNativeBalance({ chain: 'polygon' })
}

export function useTokenBalancesTypes(): void {
  useTokenBalances({ placeholderData: [] }).data?.[0]?.balance satisfies bigint | undefined
  // @ts-expect-error a list of tokens
  useTokenBalances({ tokens: address })
}

export function useTokenPriceTypes(): void {
  useTokenPrice({ token: address }).data?.usd satisfies unknown
  // @ts-expect-error which token is missing
  useTokenPrice({})
}

export function useTokenTypes(): void {
  useToken({ token: address, enabled: false }).data?.symbol satisfies string | null | undefined
  // @ts-expect-error which token is missing
  useToken({ chain: 'local' })
}

export function useNftsTypes(): void {
  const { data, loadMore } = useNfts({ select: (rows) => rows.length })
  data satisfies number | undefined
  void loadMore()
  // @ts-expect-error how many is a number
  useNfts({ limit: 'all' })
}

export function usePortfolioTypes(): void {
  usePortfolio({ chains: ['local'], refetchInterval: 60_000 }).data?.chains.length satisfies number | undefined
  // @ts-expect-error no such chain
  usePortfolio({ chains: ['polygon'] })
}

export function useTransactionsTypes(): void {
  useTransactions({ limit: 5 }).data?.[0]?.value satisfies bigint | undefined
  // @ts-expect-error blocks have numbers
  useTransactions({ fromBlock: 'latest' })
}

export function useTransfersTypes(): void {
  useTransfers({ live: true, kind: 'erc20', initialData: [] }).data?.[0]?.amount satisfies bigint | undefined
  // @ts-expect-error no such kind
  useTransfers({ kind: 'erc777' })
}
