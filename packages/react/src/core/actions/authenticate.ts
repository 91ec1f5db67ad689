import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireConnection } from '../requireConnection.ts'
import { runAction } from '../runAction.ts'
import { readSignIn } from '../session/readSignIn.ts'
import { signIn } from '../session/signIn.ts'
import type { User } from '../User.ts'
import { createWish } from '../wallet/createWish.ts'
import { loadWalletLayer } from '../wallet/loadWalletLayer.ts'
import { openPrompt } from '../wallet/openPrompt.ts'
import { readSigner } from '../wallet/readSigner.ts'
import type { SignerInput } from '../wallet/Signer.ts'
import { isExpired, type WalletProof } from '../wallet/WalletProof.ts'

export type WalletSignIn = SignerInput & {
  /** Keeps an account that its owner deleted, while it is still there; refused as `accountDeletionPending` without. */
  readonly restoreAccount?: boolean
}

/**
 * Signs a user in by wallet: the wallet signs a message of the server, once. An account that is new here is made. The
 * wallet is the connected one, or that of the connector, which is connected first, or a signer of your own.
 *
 * @example
 * const user = await authenticate(client, { connector: 'injected' })
 */
export function authenticate(
  client: Client,
  input: WalletSignIn = {},
  callbacks: Callbacks<User> = {},
): Promise<User | undefined> {
  return signInByWallet(client, input, callbacks, false)
}

/**
 * As `authenticate`, for the flows of our own: where somebody is signed in, the wallet is asked first, and the sign-in
 * begins with the proof in hand. Whoever refuses to sign, or closes the sheet, has lost nothing.
 */
export function authenticateByProof(
  client: Client,
  input: WalletSignIn,
  callbacks: Callbacks<User>,
): Promise<User | undefined> {
  return signInByWallet(client, input, callbacks, client.internal.current !== undefined)
}

function signInByWallet(
  client: Client,
  input: WalletSignIn,
  callbacks: Callbacks<User>,
  isProofFirst: boolean,
): Promise<User | undefined> {
  return runAction(client, callbacks, () => {
    const chosen = readSigner(client, input)
    const connection = requireConnection(client)
    const wish = createWish('signIn', chosen)
    return openPrompt(client, wish, callbacks.signal, (prompt) => {
      const { signal } = prompt
      const prove = async <Answer>(handIn: (proof: WalletProof) => Promise<Answer>) => {
        const { proveWallet } = await loadWalletLayer()
        return proveWallet(client, { purpose: 'signIn', chosen, signal }, handIn)
      }
      const ask = async (proof: WalletProof) => {
        const asked = { ...proof, ...(input.restoreAccount && { restoreAccount: true }) }
        return readSignIn(connection, await request(client, 'signInWithWallet', asked, { signal }))
      }
      if (!isProofFirst) return signIn(client, connection, () => prove(ask), prompt)
      // Once a message has expired the wallet is asked again, with everything as it was before.
      return prove((proof) => signIn(client, connection, () => ask(proof), prompt, isExpired))
    })
  })
}
