import type { Client } from '../Client.ts'
import type { AccountMismatch } from './AccountMismatch.ts'
import { isSameAddress } from './isSameAddress.ts'
import { linkedAddresses } from './linkedAddresses.ts'

/** Compares the wallet's account with the user's, so that nobody takes one for the other (S22). */
export function showMismatch(client: Client): void {
  const { mismatch, prompt, wallet, session } = client.internal
  const isUnderWay = prompt || wallet.get().status.endsWith('connecting') || session.get().status === 'authenticating'
  if (isUnderWay) return
  const present = mismatch.get()
  const next = find(client)
  const isSame = present?.account === next?.account && present?.signedInAs === next?.signedInAs
  if (!isSame) mismatch.set(next)
}

function find({ internal }: Client): AccountMismatch | undefined {
  const state = internal.wallet.get()
  const user = internal.current?.record
  if (state.status !== 'connected' || state.account === undefined || !user) return undefined
  const { account } = state
  const { namespace } = state.connector
  const own = linkedAddresses(user, namespace)
  if (own.some((address) => isSameAddress(namespace, address, account)) || internal.keptAccount === account) {
    return undefined
  }
  const [signedInAs] = [...own, ...linkedAddresses(user, namespace === 'eip155' ? 'solana' : 'eip155')]
  return signedInAs === undefined ? undefined : { account, namespace, signedInAs }
}
