import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { MergePreview } from '../MergePreview.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { createWish } from '../wallet/createWish.ts'
import { loadWalletLayer } from '../wallet/loadWalletLayer.ts'
import { openPrompt } from '../wallet/openPrompt.ts'
import { readSigner } from '../wallet/readSigner.ts'
import type { SignerInput } from '../wallet/Signer.ts'
import { toDated } from '../wire/toDated.ts'

/**
 * Proves another account by its wallet and tells what a merge would move into the signed-in user's. Nothing moves yet.
 *
 * @example
 * const preview = await previewMerge(client, { connector: 'injected' })
 * if (preview) await merge(client, { objectId: preview.objectId })
 */
export function previewMerge(
  client: Client,
  input: SignerInput = {},
  callbacks: Callbacks<MergePreview> = {},
): Promise<MergePreview | undefined> {
  return runAction(client, callbacks, () => {
    requireUser(client, 'merging accounts')
    const chosen = readSigner(client, input)
    return openPrompt(client, createWish('merge', chosen), callbacks.signal, async ({ signal }) => {
      const { proveWallet } = await loadWalletLayer()
      const preview = await proveWallet(client, { purpose: 'merge', chosen, signal }, (proof) =>
        request(client, 'previewMerge', proof, { signal }),
      )
      return toDated(preview)
    })
  })
}
