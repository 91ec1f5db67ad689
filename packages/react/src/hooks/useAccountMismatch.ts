import { useCallback, useSyncExternalStore } from 'react'
import { dismissMismatch } from '../core/actions/dismissMismatch.ts'
import type { AccountMismatch } from '../core/wallet/AccountMismatch.ts'
import { useClient } from './useClient.ts'

export type UseAccountMismatch = { readonly mismatch: AccountMismatch | undefined; readonly dismiss: () => void }

/**
 * Set while the wallet is on an account that is not linked to the signed-in user. Link it, sign in with it, or dismiss.
 *
 * @example
 * const { mismatch, dismiss } = useAccountMismatch()
 * if (mismatch) return <p>Wallet is on {mismatch.account}, you are signed in as {mismatch.signedInAs}. <button onClick={dismiss}>Keep</button></p>
 */
export function useAccountMismatch(): UseAccountMismatch {
  const client = useClient()
  const { subscribe, get } = client.mismatch
  const mismatch = useSyncExternalStore(subscribe, get, () => undefined)
  return { mismatch, dismiss: useCallback(() => dismissMismatch(client), [client]) }
}
