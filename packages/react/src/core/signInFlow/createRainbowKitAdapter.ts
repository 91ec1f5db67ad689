import type { Client } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { request } from '../session/request.ts'
import { readSignIn, signIn } from '../session/signIn.ts'
import { signOut } from '../session/signOut.ts'
import { initialize } from '../setup/initialize.ts'
import type { SessionState } from '../state/SessionState.ts'
import { isSameAddress } from '../wallet/connection/askProvider.ts'
import { linkedAddresses } from '../wallet/connection/updateWalletState.ts'
import { findConnection, type WagmiConfig } from '../wallet/connectors/createWagmiConnector.ts'
import { changedAccount, checkMessage } from '../wallet/proof/signText.ts'

/** `adapter` of `RainbowKitAuthenticationProvider`. */
export type RainbowKitAdapter = {
  getNonce(): Promise<string>
  createMessage(account: { nonce: string; address: string; chainId: number }): Promise<string>
  verify(proof: { message: string; signature: string }): Promise<boolean>
  signOut(): Promise<void>
}

export type RainbowKitAdapterOptions = {
  /** The wagmi config. With it, a change to another wallet of the same user does not sign out. */
  readonly config?: WagmiConfig
}

/**
 * RainbowKit's sign-in with our session: RainbowKit shows its window and has the wallet sign, the server writes the
 * message and checks it.
 *
 * @example
 * import { createRainbowKitAdapter, toRainbowKitStatus } from '@countersign/react/rainbowkit'
 *
 * const adapter = createRainbowKitAdapter(client, { config: wagmiConfig })
 *
 * function Wallets({ children }: { children: ReactNode }) {
 *   const status = toRainbowKitStatus(useSession())
 *   return (
 *     <RainbowKitAuthenticationProvider adapter={adapter} status={status}>
 *       <RainbowKitProvider>{children}</RainbowKitProvider>
 *     </RainbowKitAuthenticationProvider>
 *   )
 * }
 */
export function createRainbowKitAdapter(client: Client, { config }: RainbowKitAdapterOptions = {}): RainbowKitAdapter {
  return {
    async getNonce() {
      await initialize(client, {}, { throwOnError: true })
      // The server makes the nonce with the rest of the text, as soon as the account is known.
      return 'server'
    },
    async createMessage({ address, chainId }) {
      const account = { purpose: 'signIn', namespace: 'eip155', address, chainId } as const
      const { message } = await request(client, 'createChallenge', account)
      checkMessage(message, 'eip155', address)
      return message
    },
    async verify(proof) {
      const connection = requireConnection(client)
      await signIn(client, connection, async () => {
        // The person may have changed the account in the wallet's own window.
        const account = config && findConnection(config)?.accounts[0]
        if (config && !isSameAddress('eip155', account, proof.message.split('\n', 2)[1])) {
          throw changedAccount()
        }
        return readSignIn(connection, await request(client, 'signInWithWallet', proof))
      })
      return true
    },
    async signOut() {
      // RainbowKit calls this for every change of account; a linked account is the same person.
      const user = client.internal.current?.record
      const account = config && findConnection(config)?.accounts[0]
      const own = user ? linkedAddresses(user, 'eip155') : []
      if (account && own.some((address) => isSameAddress('eip155', address, account))) return
      await signOut(client, { throwOnError: true })
    },
  }
}

export type RainbowKitStatus = 'loading' | 'unauthenticated' | 'authenticated'

/**
 * `status` of `RainbowKitAuthenticationProvider`.
 *
 * @example
 * const status = toRainbowKitStatus(client.session.get())
 */
export function toRainbowKitStatus({ status }: SessionState): RainbowKitStatus {
  if (status === 'undefined') return 'loading'
  return status === 'authenticated' ? 'authenticated' : 'unauthenticated'
}
