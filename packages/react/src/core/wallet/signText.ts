import { CountersignError } from '@countersign/protocol'
import { untilAborted } from '../untilAborted.ts'
import { isSameAddress } from './isSameAddress.ts'
import type { Signer, SignerAccount } from './Signer.ts'
import { toWalletError } from './toWalletError.ts'

export type Signed = { readonly message: string; readonly signature: string }

/** Has a wallet sign a text that may depend on its account. The account is compared before and after (S22). */
export async function signText(
  signer: Signer,
  { shown, signal }: { shown: string | undefined; signal: AbortSignal },
  write: (account: SignerAccount) => Promise<string>,
): Promise<Signed> {
  const { namespace } = signer
  const ask = <Result>(call: () => Promise<Result>) => untilAborted(call, signal).catch(toWalletError)
  const account = await ask(() => signer.getAccount())
  if (!account?.address) throw failure('Cannot authenticate, no account returned from provider')
  const { address } = account
  if (shown !== undefined && !isSameAddress(namespace, shown, address)) {
    throw changed('The wallet is on another account than the one shown.', `Shown is ${shown}, it is on ${address}.`)
  }
  const message = await write(account)
  const signature = await ask(() => signer.signMessage(message, account))
  if (!signature) throw failure('Data not signed')
  // The person may have changed the account in the wallet's own window: what the page shows would be somebody else (S22).
  const present = await ask(() => signer.getAccount({ prompt: false }))
  if (!isSameAddress(namespace, present?.address, address)) {
    throw changed('The account of the wallet changed while it signed.', `It was ${address}, it is ${present?.address}.`)
  }
  return { message, signature }
}

function failure(message: string): CountersignError {
  return new CountersignError('OtherCause', message)
}

function changed(message: string, details: string): CountersignError {
  return new CountersignError('OtherCause', message, { reason: 'walletAccountChanged', details })
}
