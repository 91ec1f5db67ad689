import type { Chain } from '../../../chain/nodes/Chain.ts'
import type { TokenPrice } from '../../../chain/reads/prices/TokenPrice.ts'
import { formatUnits } from '../formatUnits.ts'

type Named = {
  address: string
  name?: string | null | undefined
  symbol?: string | null | undefined
  decimals?: number | undefined
}

/** Logos are none of the chain's: they are always null. */
export const mapToken = ({ address, name, symbol, decimals }: Named) => ({
  address,
  name: name ?? '',
  symbol: symbol ?? '',
  decimals: decimals === undefined ? '' : String(decimals),
  logo: null,
  logo_hash: null,
  thumbnail: null,
})

/** A price with its source. What cannot be told is null. */
export function mapPrice(chain: Chain, { token, native, usd, source }: TokenPrice) {
  const { wrapped, v2, v3 } = chain.contracts
  const exchange = [...v2, ...v3].find(({ name }) => name === source?.exchange)
  const formatted = usd ? formatUnits(usd.value, usd.decimals) : null
  const { name, symbol } = chain.nativeCurrency
  return {
    tokenName: token.name ?? null,
    tokenSymbol: token.symbol ?? null,
    tokenLogo: null,
    tokenDecimals: token.decimals === undefined ? null : String(token.decimals),
    nativePrice: native
      ? { value: native.value.toString(), decimals: native.decimals, name, symbol, address: wrapped ?? null }
      : null,
    usdPrice: formatted === null ? null : Number(formatted),
    usdPriceFormatted: formatted,
    exchangeAddress: exchange?.factory ?? null,
    exchangeName: source?.exchange ?? null,
    tokenAddress: token.address,
  }
}
