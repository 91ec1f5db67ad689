import type { Client } from '../Client.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import { untilAborted } from '../untilAborted.ts'
import { adoptLink } from './adoptLink.ts'
import type { ConnectOptions, Connector, WalletLink } from './Connector.ts'
import { missingAccount } from './missingAccount.ts'
import { moveWallet } from './moveWallet.ts'
import { toWalletError } from './toWalletError.ts'
import type { OpenWallet, WalletAttempt } from './WalletParts.ts'

const slowAfter = 3000

/**
 * Has a wallet ask its owner for a connection, and shows how that goes. The caller holds the client's prompt, so that
 * there is one at a time; an answer that comes after the prompt was cancelled is dropped.
 */
export async function openWallet<Answer extends { readonly link: WalletLink }>(
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
    moveWallet(client, { attempt })
  }
  moveWallet(client, { attempt, error: undefined })
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
    moveWallet(client, { attempt: undefined, error: signal.aborted ? undefined : error })
    throw error
  } finally {
    clearTimeout(timer)
  }
}
