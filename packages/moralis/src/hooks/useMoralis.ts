import { useContext } from 'react'
import { NoMoralisContextProviderError } from '../errors.ts'
import { MoralisContext, type MoralisContextValue } from '../MoralisContext.ts'

/**
 * Everything of the nearest `<MoralisProvider>`: session, user, wallet, and `Moralis`.
 *
 * @example
 * const { authenticate, isAuthenticated, user, logout } = useMoralis()
 */
export function useMoralis(): MoralisContextValue {
  const context = useContext(MoralisContext)
  if (context) return context
  throw new NoMoralisContextProviderError('Make sure to only call useMoralis within a  <MoralisProvider>')
}
