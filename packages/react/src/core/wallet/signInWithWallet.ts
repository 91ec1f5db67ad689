import type { Client } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import type { ActionError } from '../errors/ActionError.ts'
import { request } from '../session/request.ts'
import { readSignIn, signIn } from '../session/signIn.ts'
import type { SignerInput } from '../state/Connector.ts'
import type { User } from '../values/User.ts'
import { loadWalletLayer } from './loadWalletLayer.ts'
import { openPrompt } from './proof/openPrompt.ts'
import { readSigner, signRequestKey } from './proof/readSigner.ts'
import { isExpired, type WalletProof } from './proof/WalletProof.ts'

export type WalletSignIn = SignerInput & {
  /**
   * Brings back an account that its owner deleted, that was merged away, or that the wallet was unlinked from; refused as
   * `accountDeletionPending`, `accountMerged` or `walletUnlinked` without.
   */
  readonly restoreAccount?: boolean
  /** Makes a new account for a wallet that was unlinked from another one (`walletUnlinked`). */
  readonly newAccount?: boolean
}

/**
 * Signs a user in by wallet: the wallet signs a message of the server, once. An account that is new here is made. The
 * wallet is the connected one, or that of the connector, which is connected first, or a signer of your own.
 *
 * @example
 * const user = await signInWithWallet(client, { connector: 'injected' })
 */
export function signInWithWallet<
  Given extends Callbacks<User, ActionError<'signInWithWallet'>> = Callbacks<User, ActionError<'signInWithWallet'>>,
>(client: Client, input: WalletSignIn = {}, callbacks: Given = {} as Given): Promise<Result<User, Given>> {
  return signInByWallet(client, input, callbacks, false)
}

/**
 * As `signInWithWallet`, for the flows of our own: where somebody is signed in, the wallet is asked first, and the sign-in
 * begins with the proof in hand. A rejected signature or a closed sheet changes nothing.
 */
export function signInWithWalletProof<Given extends Callbacks<User, ActionError<'signInWithWallet'>>>(
  client: Client,
  input: WalletSignIn,
  callbacks: Given,
): Promise<Result<User, Given>> {
  return signInByWallet(client, input, callbacks, client.internal.current !== undefined)
}

function signInByWallet<Given extends Callbacks<User, ActionError<'signInWithWallet'>>>(
  client: Client,
  input: WalletSignIn,
  callbacks: Given,
  isProofFirst: boolean,
): Promise<Result<User, Given>> {
  return runOperation(client, callbacks, () => {
    const chosen = readSigner(client, input)
    const connection = requireConnection(client)
    const wish = signRequestKey('signIn', chosen)
    return openPrompt(client, wish, callbacks.signal, (prompt) => {
      const { signal } = prompt
      const prove = async <Answer>(handIn: (proof: WalletProof) => Promise<Answer>) => {
        const { proveWallet } = await loadWalletLayer()
        return proveWallet(client, { purpose: 'signIn', chosen, signal }, handIn)
      }
      const ask = async (proof: WalletProof) => {
        const { restoreAccount, newAccount } = input
        const asked = { ...proof, ...(restoreAccount && { restoreAccount }), ...(newAccount && { newAccount }) }
        return readSignIn(connection, await request(client, 'signInWithWallet', asked, { signal }))
      }
      if (!isProofFirst) return signIn(client, connection, () => prove(ask), prompt)
      // Once a message has expired the wallet is asked again, with everything as it was before.
      return prove((proof) => signIn(client, connection, () => ask(proof), prompt, isExpired))
    })
  })
}
