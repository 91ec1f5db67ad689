import type { PriceRecord } from '@countersign/protocol'
import type { Chain } from '../../chain/nodes/Chain.ts'
import type { TokenPrice } from '../../chain/reads/prices/TokenPrice.ts'
import { formatUnits } from './formatUnits.ts'
import { describeToken } from './readTokens.ts'

export const describePrice = (chain: Chain, { token, native, usd, source }: TokenPrice): PriceRecord => ({
  ...describeToken(token),
  ...(native && {
    native: { value: native.value.toString(), decimals: native.decimals, symbol: chain.nativeCurrency.symbol },
  }),
  ...(usd && { usd: formatUnits(usd.value, usd.decimals) }),
  ...(source && { from: { ...source, depth: source.depth.toString() } }),
})
