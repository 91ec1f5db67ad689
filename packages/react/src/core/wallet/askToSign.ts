import type { Client } from '../Client.ts'
import { requireString } from '../requireString.ts'
import { findOpenSigner } from './findOpenSigner.ts'
import { missingWallet } from './missingWallet.ts'
import { openPrompt } from './openPrompt.ts'
import { signText } from './signText.ts'

/** Has the connected wallet sign a text that the application wrote. */
export async function askToSign(client: Client, message: string, signal: AbortSignal | undefined): Promise<string> {
  requireString('message', message)
  const open = findOpenSigner(client)
  if (!open) throw missingWallet()
  const { signer, shown } = open
  return openPrompt(client, ['signMessage', signer, message], signal, async (prompt) => {
    const { signature } = await signText(signer, { shown, signal: prompt.signal }, async () => message)
    return signature
  })
}
