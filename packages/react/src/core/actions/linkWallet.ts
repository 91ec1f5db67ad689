import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { refreshWaysIn } from '../session/refreshWaysIn.ts'
import { takeToken } from '../session/takeToken.ts'
import type { Wallet } from '../Wallet.ts'
import { createWish } from '../wallet/createWish.ts'
import { loadWalletLayer } from '../wallet/loadWalletLayer.ts'
import { openPrompt } from '../wallet/openPrompt.ts'
import { readSigner } from '../wallet/readSigner.ts'
import type { SignerInput } from '../wallet/Signer.ts'
import { toDated } from '../wire/toDated.ts'

/**
 * Adds a wallet to the signed-in user's account. One that belongs to another account is refused with 208; the two
 * accounts can be merged.
 *
 * @example
 * const wallet = await linkWallet(client, { connector: 'injected' })
 */
export function linkWallet(
  client: Client,
  input: SignerInput = {},
  callbacks: Callbacks<Wallet> = {},
): Promise<Wallet | undefined> {
  return runAction(client, callbacks, () => {
    const { credential } = requireUser(client, 'linking a wallet')
    const chosen = readSigner(client, input)
    return openPrompt(client, createWish('link', chosen), callbacks.signal, async ({ signal }) => {
      const { proveWallet } = await loadWalletLayer()
      const wallet = await proveWallet(client, { purpose: 'link', chosen, signal }, (proof) =>
        request(client, 'linkWallet', proof, { signal }),
      )
      const linked = toDated(takeToken(client, credential, wallet))
      await refreshWaysIn(client, callbacks.signal)
      return linked
    })
  })
}
