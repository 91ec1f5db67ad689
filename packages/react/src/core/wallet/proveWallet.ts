import { CountersignError } from '@countersign/protocol'
import type { Client } from '../Client.ts'
import { request } from '../request.ts'
import { untilAborted } from '../untilAborted.ts'
import { checkMessage } from './checkMessage.ts'
import { isSameAddress } from './isSameAddress.ts'
import type { Prompt } from './Prompt.ts'
import { toWalletError } from './toWalletError.ts'

export type WalletProof = { readonly message: string; readonly signature: string }

/** Has the wallet sign the server's message and hands that in. One that took too long to sign is fetched anew, once. */
export async function proveWallet<Answer>(
  client: Client,
  prompt: Prompt,
  handIn: (proof: WalletProof) => Promise<Answer>,
): Promise<Answer> {
  const proof = await sign(client, prompt)
  try {
    return await handIn(proof)
  } catch (error) {
    if (!isExpired(error)) throw error
  }
  return handIn(await sign(client, prompt))
}

async function sign(client: Client, { signer, purpose, chainId, signal }: Prompt): Promise<WalletProof> {
  const { namespace } = signer
  const ask = <Result>(call: () => Promise<Result>) => untilAborted(call, signal).catch(toWalletError)
  const account = await ask(() => signer.getAccount())
  if (!account?.address) throw failure('Cannot authenticate, no account returned from provider')
  const { address } = account
  const wanted = { purpose, namespace, address, chainId: chainId ?? account.chainId }
  const { message } = await request(client, 'createChallenge', wanted, { signal })
  checkMessage(message, namespace, address)
  const signature = await ask(() => signer.signMessage(message, account))
  if (!signature) throw failure('Data not signed')
  // The person may have changed the account in the wallet's own window: what the page shows would be somebody else (S22).
  const present = await ask(() => signer.getAccount({ prompt: false }))
  if (!isSameAddress(namespace, present?.address, address)) {
    throw failure('The account of the wallet changed while it signed.', `It was ${address}, it is ${present?.address}.`)
  }
  return { message, signature }
}

function isExpired(error: unknown): boolean {
  return error instanceof CountersignError && error.status === 401 && error.details === 'expired'
}

function failure(message: string, details?: string): CountersignError {
  return new CountersignError('OtherCause', message, { details })
}
