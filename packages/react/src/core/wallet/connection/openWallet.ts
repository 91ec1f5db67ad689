import type { Client } from '../../client/Client.ts'
import { toCountersignError, untilAborted } from '../../errors/errors.ts'
import { signOut } from '../../session/signOut.ts'
import type { ConnectOptions, Connector, WalletConnection, WalletEvent } from '../../state/Connector.ts'
import type { OpenWallet, WalletAttempt } from '../../state/WalletState.ts'
import { checksumAddress } from '../../values/checksumAddress.ts'
import { isSameAddress, missingAccount, toWalletError } from './askProvider.ts'
import { rememberWallet } from './rememberedWallet.ts'
import { linkedAddresses, updateWalletState } from './updateWalletState.ts'

const slowAfter = 3000

/**
 * Asks a wallet for a connection, and shows the progress. The caller holds the client's prompt, so that there is one at
 * a time; a result after the prompt was canceled is dropped.
 */
export async function openWallet<Answer extends { readonly link: WalletConnection }>(
  client: Client,
  connector: Connector,
  options: ConnectOptions & { readonly signal: AbortSignal },
  ask: (options: ConnectOptions) => Promise<Answer>,
): Promise<Omit<Answer, 'link'> & OpenWallet> {
  const { signal } = options
  client.internal.reconnecting?.abort()
  let attempt: WalletAttempt = { silent: false, connector, slow: false, pending: false }
  const show = (changes: { uri?: string; slow?: true; pending?: true }) => {
    if (signal.aborted || client.internal.walletParts.attempt !== attempt) return
    attempt = { ...attempt, ...changes } as WalletAttempt
    updateWalletState(client, { attempt })
  }
  updateWalletState(client, { attempt, error: undefined })
  const timer = setTimeout(() => show({ slow: true }), slowAfter)
  const onUri = (uri: string) => {
    show({ uri })
    if (!signal.aborted) options.onUri?.(uri)
  }
  try {
    const asked = { ...options, onUri, onPending: () => show({ pending: true }) }
    const { link, ...rest } = await untilAborted(() => ask(asked), signal).catch(toWalletError)
    if (link.signer && link.accounts.length === 0) {
      throw missingAccount()
    }
    return { ...rest, ...adoptLink(client, connector, link) }
  } catch (cause) {
    const error = toCountersignError(cause)
    updateWalletState(client, { attempt: undefined, error: signal.aborted ? undefined : error })
    throw error
  } finally {
    clearTimeout(timer)
  }
}

const watched = new WeakSet<Client>()

/** Makes a connection the client's own, in place of a former one, and follows the wallet's events. */
export function adoptLink(client: Client, connector: Connector, link: WalletConnection): OpenWallet {
  client.internal.walletParts.open?.stop()
  const { chainId, signer } = link
  const accounts = link.accounts.map(checksumAddress)
  const stop = link.watch((event) => followWallet(client, link, event))
  const open = { connector, link, accounts, chainId, signer, stop }
  rememberWallet(client, connector.id)
  updateWalletState(client, { attempt: undefined, open, error: undefined })
  watchFocus(client)
  return open
}

/** Looks at the account again when the page comes back to the front: not every wallet reports a change. */
function watchFocus(client: Client): void {
  if (!globalThis.document || watched.has(client)) return
  watched.add(client)
  document.addEventListener('visibilitychange', () => {
    const { walletParts, prompt } = client.internal
    const { open } = walletParts
    if (document.visibilityState !== 'visible' || !open?.signer || prompt) return
    open.signer.getAccount({ prompt: false }).then(
      (account) => {
        const [shown] = open.accounts
        const isSame = isSameAddress(open.connector.namespace, account?.address, shown)
        const accounts = account ? [account.address] : []
        if (!isSame) followWallet(client, open.link, { type: 'accountsChanged', accounts })
      },
      () => undefined,
    )
  })
}

/** Handles the wallet's events. Events of a former connection are ignored. */
function followWallet(client: Client, link: WalletConnection, event: WalletEvent): void {
  const { open } = client.internal.walletParts
  if (open?.link !== link) return
  switch (event.type) {
    case 'chainChanged':
      updateWalletState(client, { open: { ...open, chainId: event.chainId } })
      break
    case 'disconnected':
      open.stop()
      updateWalletState(client, { open: undefined, error: readReason(event.reason) })
      break
    case 'accountsChanged':
      changeAccounts(client, open, event.accounts)
      break
  }
}

function changeAccounts(client: Client, open: OpenWallet, reported: readonly string[]): void {
  const { namespace } = open.connector
  const accounts = reported.map(checksumAddress)
  const [former] = open.accounts
  const [present] = accounts
  const isSameList = accounts.length === open.accounts.length && accounts.every((one, at) => one === open.accounts[at])
  if (isSameList) return
  updateWalletState(client, { open: { ...open, accounts } })
  if (former === undefined || present === undefined || isSameAddress(namespace, former, present)) return
  client.internal.keptAccount = undefined
  const user = client.internal.current?.record
  // While the wallet is asked on the user's behalf, a change of account may be the very thing that is wanted.
  if (!user || client.internal.prompt) return
  const own = linkedAddresses(user, namespace)
  const isOwn = (address: string) => own.some((one) => isSameAddress(namespace, one, address))
  const policy = client.internal.options.onAccountChange ?? 'ask'
  const ends = policy === 'signOut' || (policy === 'keepLinked' && !isOwn(present))
  if (ends && isOwn(former)) void signOut(client, { throwOnError: false })
}

function readReason(reason: unknown) {
  if (reason === undefined) return undefined
  try {
    return toWalletError(reason)
  } catch (error) {
    return toCountersignError(error)
  }
}
