import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import type { SignerInput } from '../state/Connector.ts'
import type { Wallet } from '../values/records.ts'
import { accountAction, runWalletProof } from './accountAction.ts'

/**
 * The user's wallets, each of them proven.
 *
 * @example
 * const primary = (await listLinkedWallets(client))?.find((wallet) => wallet.primary)
 */
export const listLinkedWallets = /*#__PURE__*/ accountAction('listLinkedWallets')

/**
 * Adds a wallet to the signed-in user's account. One that belongs to another account is refused with 208; the two
 * accounts can be merged.
 *
 * @example
 * const wallet = await linkWallet(client, { connector: 'injected' })
 */
export function linkWallet(client: Client, input: SignerInput = {}, options?: ActionOptions): Promise<Wallet> {
  return runWalletProof(client, 'link', input, options, (account, proof, options) =>
    account.linkProvenWallet(client, proof, options),
  )
}

/**
 * Names a wallet, or makes it the primary one.
 *
 * @example
 * await updateWallet(client, { objectId: wallet.objectId, label: 'Savings', primary: true })
 */
export const updateWallet = /*#__PURE__*/ accountAction('updateWallet')

/**
 * Removes a wallet from the user's account. The last sign-in method stays; until `undoUntil` the wallet can be restored.
 *
 * @example
 * const { undoUntil } = (await unlinkWallet(client, { objectId: wallet.objectId })) ?? {}
 */
export const unlinkWallet = /*#__PURE__*/ accountAction('unlinkWallet')

/**
 * Brings back a wallet that was unlinked, while that can still be undone.
 *
 * @example
 * await restoreWallet(client, { objectId: wallet.objectId })
 */
export const restoreWallet = /*#__PURE__*/ accountAction('restoreWallet')
