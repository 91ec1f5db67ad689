import type { Callbacks } from '../Callbacks.ts'
import type { Client } from '../Client.ts'
import type { MergePreview } from '../MergePreview.ts'
import { request } from '../request.ts'
import { requireUser } from '../requireUser.ts'
import { runAction } from '../runAction.ts'
import { openPrompt } from '../wallet/openPrompt.ts'
import { proveWallet } from '../wallet/proveWallet.ts'
import { readSigner } from '../wallet/readSigner.ts'
import type { SignerInput } from '../wallet/Signer.ts'
import { toDated } from '../wire/toDated.ts'

/**
 * Proves another account by its wallet and tells what a merge would move into the signed-in user's. Nothing moves yet.
 *
 * @example
 * const preview = await previewMerge(client, { signer: createEip1193Signer(window.ethereum) })
 * if (preview) await merge(client, { objectId: preview.objectId })
 */
export function previewMerge(
  client: Client,
  input: SignerInput,
  callbacks: Callbacks<MergePreview> = {},
): Promise<MergePreview | undefined> {
  return runAction(client, callbacks, () => {
    requireUser(client, 'merging accounts')
    return openPrompt(client, 'merge', readSigner(input), callbacks.signal, async (prompt) =>
      toDated(await proveWallet(client, prompt, (proof) => request(client, 'previewMerge', proof, prompt))),
    )
  })
}
