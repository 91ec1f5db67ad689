'use client'

import {
  linkWallet,
  listLinkedWallets,
  restoreWallet,
  unlinkWallet,
  updateWallet,
} from '../../core/account/linkedWallets.ts'
import { defineAccountReading } from '../../core/readings/defineReading.ts'
import type { Wallet } from '../../core/values/records.ts'
import { useClient } from '../client/useClient.ts'
import { type ActionHook, useAction } from '../client/useMutation.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

const walletsReading = /*#__PURE__*/ defineAccountReading('listWallets', (client, _: undefined, options) =>
  listLinkedWallets(client, options),
)

/**
 * The user's wallets. They are read again after one of them changes.
 *
 * @example
 * const wallets = useLinkedWallets()
 * if (wallets.status === 'success') return wallets.data.map((wallet) => <p key={wallet.objectId}>{wallet.address}</p>)
 */
export function useLinkedWallets<Selected = readonly Wallet[]>(
  options?: ReadOptions<readonly Wallet[], Selected>,
): UseAsync<Selected> {
  return useReading(walletsReading(useClient(), undefined), options)
}

export type UseLinkWallet = ActionHook<'linkWallet', typeof linkWallet>

/**
 * Adds a wallet to the user's account.
 *
 * @example
 * const { linkWallet, status } = useLinkWallet()
 * <button disabled={status === 'pending'} onClick={() => linkWallet({ connector: 'injected' })}>Go</button>
 */
export function useLinkWallet(): UseLinkWallet {
  return useAction('linkWallet', linkWallet)
}

export type UseUpdateWallet = ActionHook<'updateWallet', typeof updateWallet>

/**
 * Names a wallet, or makes it the primary one.
 *
 * @example
 * const { updateWallet, status } = useUpdateWallet()
 * <button disabled={status === 'pending'} onClick={() => updateWallet({ objectId: wallet.objectId, primary: true })}>Go</button>
 */
export function useUpdateWallet(): UseUpdateWallet {
  return useAction('updateWallet', updateWallet)
}

export type UseUnlinkWallet = ActionHook<'unlinkWallet', typeof unlinkWallet>

/**
 * Removes a wallet from the user's account.
 *
 * @example
 * const { unlinkWallet, status } = useUnlinkWallet()
 * <button disabled={status === 'pending'} onClick={() => unlinkWallet({ objectId: wallet.objectId })}>Go</button>
 */
export function useUnlinkWallet(): UseUnlinkWallet {
  return useAction('unlinkWallet', unlinkWallet)
}

export type UseRestoreWallet = ActionHook<'restoreWallet', typeof restoreWallet>

/**
 * Brings back a wallet that was unlinked.
 *
 * @example
 * const { restoreWallet, status } = useRestoreWallet()
 * <button disabled={status === 'pending'} onClick={() => restoreWallet({ objectId: wallet.objectId })}>Go</button>
 */
export function useRestoreWallet(): UseRestoreWallet {
  return useAction('restoreWallet', restoreWallet)
}
