import type { Eip1193Provider, WalletConnection } from '../../state/Connector.ts'
import { missingAccount } from '../connection/askProvider.ts'
import { openEip1193Link } from './walletLinks.ts'

export type SdkLinkInput = {
  readonly provider: Eip1193Provider
  /** Adds a code to the SDK's errors. */
  readonly toError: (cause: unknown) => Error
  /** Called when the wallet ends the connection in a way that its provider does not report. */
  readonly watchEnd?: (end: (reason?: unknown) => void) => () => void
  readonly disconnect: () => Promise<void>
}

/** An open connection over the provider of a wallet's SDK, which is connected already. */
export async function createSdkLink({
  provider,
  toError,
  watchEnd,
  disconnect,
}: SdkLinkInput): Promise<WalletConnection> {
  const own: Eip1193Provider = {
    async request(call) {
      try {
        return await provider.request(call)
      } catch (cause) {
        throw toError(cause)
      }
    },
    on: (event, listener) => provider.on?.(event, listener),
    removeListener: (event, listener) => provider.removeListener?.(event, listener),
  }
  const link = await openEip1193Link(own, { prompt: false })
  if (!link) throw missingAccount()
  return {
    ...link,
    disconnect,
    watch(listener) {
      const stops = [link.watch(listener), watchEnd?.((reason) => listener({ type: 'disconnected', reason }))]
      return () => {
        for (const stop of stops) stop?.()
      }
    },
  }
}
