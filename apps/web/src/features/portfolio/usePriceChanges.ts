import { useClient, useRead } from '@countersign/react'
import { request } from '@countersign/react/core'
import { useMemo } from 'react'
import { type Holding, keyOfToken } from '../../chain/gatherHoldings.ts'
import { chartUsd, readUsd } from '../../chain/usd.ts'

/** Price of one whole token, and its change in 24 hours as a part of 1, absent if the price then is unknown. */
export type PriceChange = { usd: bigint; change?: number }

/** Maximum of one request: the most valuable come first. */
const most = 100

/** Prices of holdings that have a value, by their keys. Without the server's figures there are none. */
export function usePriceChanges(holdings: readonly Holding[]): ReadonlyMap<string, PriceChange> {
  const client = useClient()
  const byChain = new Map<number, string[]>()
  for (const { chain, token, usd } of holdings) {
    if (usd === undefined) continue
    const tokens = byChain.get(chain) ?? []
    byChain.set(chain, token && tokens.length < most ? [...tokens, token] : tokens)
  }
  const asked = [...byChain].map(([chain, tokens]) => [chain, tokens.toSorted().join()] as const)
  const found = useRead(
    ['priceChanges', asked],
    (options) =>
      Promise.all(
        asked.map(async ([chain, tokens]) => {
          const input = { chain: String(chain), ...(tokens && { tokens }) }
          // One chain that fails leaves the others as they are.
          const prices = await request(client, 'listPriceChanges', input, options).catch(() => undefined)
          return { chain, prices: prices?.result ?? [] }
        }),
      ),
    { enabled: asked.length > 0 },
  )
  const data = found.data
  return useMemo(() => {
    const entries = (data ?? []).flatMap(({ chain, prices }) =>
      prices.map(({ token, usd, usdBefore }) => {
        const key = token ? keyOfToken(chain, token) : `${chain}`
        return [key, describe(readUsd(usd), usdBefore === undefined ? undefined : readUsd(usdBefore))] as const
      }),
    )
    return new Map(entries)
  }, [data])
}

function describe(usd: bigint, before: bigint | undefined): PriceChange {
  if (!before) return { usd }
  // As whole numbers first: prices of a millionth of a dollar have a change, too.
  return { usd, change: chartUsd(((usd - before) * 10n ** 18n) / before) }
}
