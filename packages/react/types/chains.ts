// Types once an application has registered its chains. Compiling is the test.

import { useEnsName, useNativeBalance, useNfts, usePortfolio, useTokenPrice, useTransfers } from '../src/chain.ts'
import { getNativeBalance, listTransfers } from '../src/core.ts'
import type { Client } from '../src/index.ts'

declare module '../src/index.ts' {
  interface Register {
    chains: { ethereum: 1; local: 31337 }
  }
}

declare const client: Client

export async function reads(): Promise<void> {
  const answer = await getNativeBalance(client, { chain: 'local' })
  answer?.result.balance satisfies bigint | undefined
  answer?.chain satisfies 1 | 31337 | undefined
  answer?.block.timestamp satisfies Date | undefined
  await getNativeBalance(client, { chain: 31337 })
  // @ts-expect-error no such chain
  await getNativeBalance(client, { chain: 'polygon' })
  // @ts-expect-error no such chain
  await getNativeBalance(client, { chain: 137 })
  // @ts-expect-error no such kind
  await listTransfers(client, { kind: 'erc777' })
}

export function useAll(): void {
  const balance = useNativeBalance({ chain: 'ethereum', enabled: false })
  balance.data?.balance satisfies bigint | undefined
  // @ts-expect-error nothing is there before it was read
  balance.data.balance
  if (balance.status === 'success') {
    balance.data.balance satisfies bigint
    balance.at?.chain satisfies 1 | 31337 | undefined
  }
  // @ts-expect-error no such chain
  useNativeBalance({ chain: 'etherium' })
  // @ts-expect-error a price is that of a token
  useTokenPrice({ chain: 'local' })
  const price = useTokenPrice({ token: '0x0', chain: 1 })
  if (price.status === 'success') price.data?.native?.value satisfies bigint | undefined
  const name = useEnsName({ address: '0x0' })
  if (name.status === 'success') name.data satisfies { readonly name: string } | null
  const nfts = useNfts({ limit: 10 })
  void nfts.loadMore()
  if (nfts.status === 'success') {
    nfts.hasMore satisfies boolean
    nfts.data[0]?.amount satisfies bigint | undefined
    nfts.data[0]?.tokenId satisfies string | undefined
  }
  const transfers = useTransfers({ kind: ['erc721', 'erc1155'], direction: 'to', live: true })
  if (transfers.status === 'success') transfers.data[0]?.block.timestamp satisfies Date | undefined
  const portfolio = usePortfolio({ chains: ['local', 1] })
  if (portfolio.status === 'success') portfolio.data.chains[0]?.native?.balance satisfies bigint | undefined
  // @ts-expect-error no such chain
  usePortfolio({ chains: ['polygon'] })
}
