import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import type { SignerInput } from '../state/Connector.ts'
import type { UndoDeadline, Wallet } from '../values/records.ts'
import { runAccountAction, runWalletProof } from './runAccountAction.ts'

/**
 * The user's wallets, each of them proven.
 *
 * @example
 * const primary = (await listLinkedWallets(client))?.find((wallet) => wallet.primary)
 */
export function listLinkedWallets(client: Client, options?: ActionOptions): Promise<readonly Wallet[]> {
  return runAccountAction(client, options, (account, signal) => account.listLinkedWallets(client, signal))
}

/**
 * Adds a wallet to the signed-in user's account. One that belongs to another account is refused with 208; the two
 * accounts can be merged.
 *
 * @example
 * const wallet = await linkWallet(client, { connector: 'injected' })
 */
export function linkWallet(client: Client, input: SignerInput = {}, options?: ActionOptions): Promise<Wallet> {
  return runWalletProof(client, 'link', input, options, (account, proof, signal) =>
    account.linkWallet(client, proof, signal),
  )
}

export type UpdateWalletInput = {
  objectId: string
  /** What the user calls it; `null` takes the label away. */
  label?: string | null
  /** Makes it the first of its kind: the one in `ethAddress` or `solAddress`. */
  primary?: true
}

/**
 * Names a wallet, or makes it the primary one.
 *
 * @example
 * await updateWallet(client, { objectId: wallet.objectId, label: 'Savings', primary: true })
 */
export function updateWallet(client: Client, input: UpdateWalletInput, options?: ActionOptions): Promise<Wallet> {
  return runAccountAction(client, options, (account, signal) => account.updateWallet(client, input, signal))
}

export type UnlinkWalletInput = { objectId: string }

/**
 * Removes a wallet from the user's account. The last sign-in method stays; until `undoUntil` the wallet can be restored.
 *
 * @example
 * const { undoUntil } = (await unlinkWallet(client, { objectId: wallet.objectId })) ?? {}
 */
export function unlinkWallet(client: Client, input: UnlinkWalletInput, options?: ActionOptions): Promise<UndoDeadline> {
  return runAccountAction(client, options, (account, signal) => account.unlinkWallet(client, input, signal))
}

export type RestoreWalletInput = { objectId: string }

/**
 * Brings back a wallet that was unlinked, while that can still be undone.
 *
 * @example
 * await restoreWallet(client, { objectId: wallet.objectId })
 */
export function restoreWallet(client: Client, input: RestoreWalletInput, options?: ActionOptions): Promise<Wallet> {
  return runAccountAction(client, options, (account, signal) => account.restoreWallet(client, input, signal))
}
