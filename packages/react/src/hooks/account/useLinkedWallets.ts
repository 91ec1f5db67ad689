'use client'

import type { RestoreWalletInput, UnlinkWalletInput, UpdateWalletInput } from '../../core/account/inputs.ts'
import {
  linkWallet,
  listLinkedWallets,
  restoreWallet,
  unlinkWallet,
  updateWallet,
} from '../../core/account/linkedWallets.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { ActionState, Run, RunOptional } from '../../core/readings/createMutation.ts'
import { defineAccountReading } from '../../core/readings/defineReading.ts'
import type { SignerInput } from '../../core/state/Connector.ts'
import type { UndoDeadline, Wallet } from '../../core/values/records.ts'
import { useClient } from '../client/useClient.ts'
import { useAction } from '../client/useMutation.ts'
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

export type UseLinkWallet = ActionState<Wallet, ActionError<'linkWallet'>> & {
  readonly linkWallet: RunOptional<SignerInput, Wallet, ActionError<'linkWallet'>>
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
  return useAction('linkWallet', linkWallet)
}

export type UseUpdateWallet = ActionState<Wallet, ActionError<'updateWallet'>> & {
  readonly updateWallet: Run<UpdateWalletInput, Wallet, ActionError<'updateWallet'>>
  readonly reset: () => void
}

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

export type UseUnlinkWallet = ActionState<UndoDeadline, ActionError<'unlinkWallet'>> & {
  readonly unlinkWallet: Run<UnlinkWalletInput, UndoDeadline, ActionError<'unlinkWallet'>>
  readonly reset: () => void
}

/**
 * Takes a wallet from the user's account.
 *
 * @example
 * const { unlinkWallet, status } = useUnlinkWallet()
 * <button disabled={status === 'pending'} onClick={() => unlinkWallet({ objectId: wallet.objectId })}>Go</button>
 */
export function useUnlinkWallet(): UseUnlinkWallet {
  return useAction('unlinkWallet', unlinkWallet)
}

export type UseRestoreWallet = ActionState<Wallet, ActionError<'restoreWallet'>> & {
  readonly restoreWallet: Run<RestoreWalletInput, Wallet, ActionError<'restoreWallet'>>
  readonly reset: () => void
}

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
