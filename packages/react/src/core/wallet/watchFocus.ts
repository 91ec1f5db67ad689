import type { Client } from '../Client.ts'
import { followWallet } from './followWallet.ts'
import { isSameAddress } from './isSameAddress.ts'

const watched = new WeakSet<Client>()

/** Looks at the account again when the page comes back to the front: not every wallet tells of a change (S22). */
export function watchFocus(client: Client): void {
  if (typeof document === 'undefined' || watched.has(client)) return
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
