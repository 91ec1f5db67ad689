import type { Token } from '../core/chainData/ChainData.ts'
import type { TokenInput } from '../core/chainData/ChainInput.ts'
import type { ReadOptions } from './useDocumentReading.ts'
import { type UseOnChain, useOnChain } from './useOnChain.ts'

/**
 * The name, symbol and decimals of an ERC-20 token. Nothing is read while there is no input.
 *
 * @example
 * const token = useToken({ token: '0x6B175474E89094C44Da98b954EedeAC495271d0F', chain: 'eth' })
 * if (token.status === 'success') return <p>{token.data.symbol}</p>
 */
export function useToken(input: (TokenInput & ReadOptions) | undefined): UseOnChain<Token> {
  return useOnChain('getToken', input)
}
