import { linkWallet } from '../core/actions/linkWallet.ts'
import type { Callbacks } from '../core/Callbacks.ts'
import type { MutationState } from '../core/createMutation.ts'
import type { Wallet } from '../core/Wallet.ts'
import type { SignerInput } from '../core/wallet/Signer.ts'
import { useMutation } from './useMutation.ts'

export type UseLinkWallet = MutationState<Wallet> & {
  readonly linkWallet: (input?: SignerInput, callbacks?: Callbacks<Wallet>) => Promise<Wallet | undefined>
  readonly reset: () => void
}

/**
 * Adds a wallet to the user's account.
 *
 * @example
 * const { linkWallet, status } = useLinkWallet()
 * <button disabled={status === 'pending'} onClick={() => linkWallet({ connector: 'injected' })}>Go</button>
 */
export function useLinkWallet(): UseLinkWallet {
  const { state, run, reset } = useMutation(linkWallet)
  return { ...state, linkWallet: run, reset }
}
