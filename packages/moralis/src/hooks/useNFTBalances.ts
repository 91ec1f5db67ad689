import type { Loose } from '../Loose.ts'
import { resolveIPFS } from '../resolveIPFS.ts'
import { type AccountParams, useAccountCall } from './useAccountCall.ts'
import { useMoralis } from './useMoralis.ts'
import type { UseResolveCallOptions } from './useResolveCall.ts'

/**
 * The NFTs of an address: the wallet's, unless one is given. Each has its metadata read and its `image` as an address.
 *
 * @example
 * const { getNFTBalances, data } = useNFTBalances({ chain: 'polygon' })
 */
export function useNFTBalances(params?: AccountParams, options?: UseResolveCallOptions) {
  const call = useMoralis().Moralis.Web3API.account.getNFTs
  const { fetch, data, setData: _, chainId: __, ...state } = useAccountCall(call, params, options)
  return { getNFTBalances: fetch, data: data && withImages(data), ...state }
}

function withImages(answer: Loose): Loose {
  if (!Array.isArray(answer.result)) return answer
  return { ...answer, result: answer.result.map(withImage) }
}

/** Adds the image of a token. Metadata is untrusted; unreadable metadata stays unchanged. */
function withImage(token: Loose): Loose {
  if (typeof token.metadata !== 'string') return token
  try {
    const metadata = JSON.parse(token.metadata)
    return { ...token, metadata, image: resolveIPFS(metadata?.image ?? null) }
  } catch {
    return token
  }
}
