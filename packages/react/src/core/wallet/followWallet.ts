import { logOut } from '../actions/logOut.ts'
import type { Client } from '../Client.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import type { WalletEvent, WalletLink } from './Connector.ts'
import { isSameAddress } from './isSameAddress.ts'
import { linkedAddresses } from './linkedAddresses.ts'
import { moveWallet } from './moveWallet.ts'
import { toWalletError } from './toWalletError.ts'
import type { OpenWallet } from './WalletParts.ts'

/** Takes in what the wallet tells by itself (R12). What a former connection still says counts for nothing. */
export function followWallet(client: Client, link: WalletLink, event: WalletEvent): void {
  const { open } = client.internal.walletParts
  if (open?.link !== link) return
  switch (event.type) {
    case 'chainChanged':
      moveWallet(client, { open: { ...open, chainId: event.chainId } })
      break
    case 'disconnected':
      open.stop()
      moveWallet(client, { open: undefined, error: readReason(event.reason) })
      break
    case 'accountsChanged':
      changeAccounts(client, open, event.accounts)
      break
  }
}

function changeAccounts(client: Client, open: OpenWallet, accounts: readonly string[]): void {
  const { namespace } = open.connector
  const [former] = open.accounts
  const [present] = accounts
  const isSameList = accounts.length === open.accounts.length && accounts.every((one, at) => one === open.accounts[at])
  if (isSameList) return
  moveWallet(client, { open: { ...open, accounts } })
  if (former === undefined || present === undefined || isSameAddress(namespace, former, present)) return
  client.internal.keptAccount = undefined
  const user = client.internal.current?.record
  // While the wallet is asked on the user's behalf, a change of account may be the very thing that is wanted.
  if (!user || client.internal.prompt) return
  const own = linkedAddresses(user, namespace)
  const isOwn = (address: string) => own.some((one) => isSameAddress(namespace, one, address))
  const policy = client.internal.options.onAccountChange ?? 'ask'
  const ends = policy === 'signOut' || (policy === 'keepLinked' && !isOwn(present))
  if (ends && isOwn(former)) void logOut(client, { throwOnError: false })
}

function readReason(reason: unknown) {
  if (reason === undefined) return undefined
  try {
    return toWalletError(reason)
  } catch (error) {
    return toCountersignError(error)
  }
}
