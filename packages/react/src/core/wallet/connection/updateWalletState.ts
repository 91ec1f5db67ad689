import type { Client } from '../../client/Client.ts'
import type { Signer } from '../../state/Connector.ts'
import type { AccountMismatch, ConnectedWallet, WalletParts, WalletState } from '../../state/WalletState.ts'
import { checksumAddress } from '../../values/checksumAddress.ts'
import type { UserFields } from '../../values/decode.ts'
import { isSameAddress } from './askProvider.ts'
import { disconnected } from './rememberedWallet.ts'

/** Changes the parts of the wallet state, and derives the state again. */
export function updateWalletState(client: Client, changes: WalletParts): void {
  const { internal } = client
  if (!internal.showMismatch) watchMismatch(client)
  internal.walletParts = { ...internal.walletParts, ...changes }
  internal.wallet.set(toState(internal.walletParts))
}

function toState({ attempt, open, error }: WalletParts): WalletState {
  if (attempt?.silent) return { status: 'reconnecting', connector: attempt.connector }
  if (attempt) {
    const { connector, uri, slow, pending } = attempt
    return { status: 'connecting', connector, uri, slow, pending }
  }
  // A locked wallet shares no account; it returns automatically when unlocked.
  if (!open || (open.signer && open.accounts.length === 0))
    return error ? { status: 'disconnected', error } : disconnected
  const { connector, accounts, chainId, link } = open
  const { namespace } = connector
  const state = { status: 'connected', namespace, connector, account: accounts[0], accounts, chainId }
  return { ...state, provider: link.provider } as ConnectedWallet
}

/** Compares the wallet's account with the user's whenever one of them changes. */
function watchMismatch(client: Client): void {
  const { internal } = client
  const show = () => showMismatch(client)
  internal.showMismatch = show
  for (const store of [internal.session, internal.wallet]) store.subscribe(show)
}

/** Compares the wallet's account with the user's, so that nobody takes one for the other. */
function showMismatch(client: Client): void {
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
  return signedInAs === undefined
    ? undefined
    : ({ account, namespace, signedInAs: checksumAddress(signedInAs) } as AccountMismatch)
}

const fields = { eip155: ['ethAddress', 'accounts'], solana: ['solAddress', 'solAccounts'] } as const

/** The addresses of the user's proven wallets, the primary one first. The server alone writes these fields. */
export function linkedAddresses(user: UserFields, namespace: Signer['namespace']): string[] {
  return fields[namespace].flatMap((name) => user[name] ?? []).filter((value) => typeof value === 'string')
}
