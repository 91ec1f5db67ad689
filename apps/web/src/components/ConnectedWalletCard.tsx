import { shortenAddress, useDisconnectWallet, useWallet } from '@countersign/react'
import { toasts } from '../lib/toasts.ts'
import { Button } from './Button.tsx'
import { Card } from './Card.tsx'
import { CardHeader } from './CardHeader.tsx'

/** The wallet that this page is connected to, which is not the same as being signed in. */
export function ConnectedWalletCard() {
  const wallet = useWallet()
  const { disconnectWallet, status } = useDisconnectWallet()
  if (wallet.status !== 'connected') return null
  const { connector, account } = wallet
  const disconnect = () =>
    void disconnectWallet({
      onSuccess: () => toasts.add(`${connector.name} is disconnected. You are still signed in.`, 'ok'),
      onError: (error) => toasts.add(error.message, 'danger'),
    })
  return (
    <Card aria-labelledby="connected-wallet">
      <CardHeader
        id="connected-wallet"
        title="In this browser"
        aside={
          <Button look="secondary" pending={status === 'pending'} onClick={disconnect}>
            Disconnect
          </Button>
        }
      >
        {connector.name} is connected{account && <> with {shortenAddress(account)}</>}. This page can ask it to sign;
        disconnecting does not sign you out.
      </CardHeader>
    </Card>
  )
}
