import type { Client } from '../client/Client.ts'
import type { ActionOptions } from '../client/runAction.ts'
import { createClient } from '../setup/createClient.ts'
import type { SignerInput } from '../state/Connector.ts'
import type { MergePreview } from '../values/records.ts'
import { accountAction, runAccountAction, runWalletProof } from './accountAction.ts'

/** Proof of the other account: one of its wallets, or any sign-in to it. */
export type PreviewAccountMergeInput =
  | SignerInput
  | {
      /**
       * Signs in to the other account with the client that it is given, by any action that opens a session. The page's
       * own session is not touched, and the other one ends with the merge.
       */
      readonly signIn: (other: Client) => Promise<unknown>
    }

/**
 * Proves another account and returns what a merge would move into the signed-in user's. Nothing moves yet.
 *
 * @example
 * const preview = await previewAccountMerge(client, { connector: 'injected' })
 * if (preview) await mergeAccounts(client, { objectId: preview.objectId })
 *
 * @example
 * await previewAccountMerge(client, { signIn: (other) => signInWithPassword(other, { username, password }) })
 */
export function previewAccountMerge(
  client: Client,
  input: PreviewAccountMergeInput = {},
  options?: ActionOptions,
): Promise<MergePreview> {
  if ('signIn' in input) {
    const { signIn } = input
    return runAccountAction(client, (account) => {
      const { initialSession: _, ...given } = client.internal.options
      const other = createClient({ ...given, session: 'storage' })
      return account.proveOtherAccount(client, other, signIn, options)
    })
  }
  return runWalletProof(client, 'merge', input, options, (account, proof, options) =>
    account.previewProvenMerge(client, proof, options),
  )
}

/**
 * Carries out a merge that was previewed: the other account's sign-in methods and fields move to this one.
 *
 * @example
 * const { undoUntil } = (await mergeAccounts(client, { objectId: preview.objectId })) ?? {}
 */
export const mergeAccounts = /*#__PURE__*/ accountAction('mergeAccounts')

/**
 * Takes a merge back, while that can still be done: the other account is as it was.
 *
 * @example
 * await undoAccountMerge(client, { objectId: preview.objectId })
 */
export const undoAccountMerge = /*#__PURE__*/ accountAction('undoAccountMerge')
