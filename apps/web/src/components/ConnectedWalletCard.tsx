import { shortenAddress, useDisconnectWallet, useWallet } from '@countersign/react'
import { describeError } from '../lib/describeError.ts'
import { say } from '../lib/say.ts'
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
      onSuccess: () =>
        toasts.add(say('{wallet} is disconnected. You are still signed in.', { wallet: connector.name }), 'ok'),
      onError: (error) => toasts.add(describeError(error).message, 'danger'),
    })
  return (
    <Card aria-labelledby="connected-wallet">
      <CardHeader
        id="connected-wallet"
        title={say('In this browser')}
        aside={
          <Button look="secondary" pending={status === 'pending'} onClick={disconnect}>
            {say('Disconnect')}
          </Button>
        }
      >
        {account
          ? say('{wallet} is connected with {account}.', { wallet: connector.name, account: shortenAddress(account) })
          : say('{wallet} is connected.', { wallet: connector.name })}{' '}
        {say('This page can ask it to sign; disconnecting does not sign you out.')}
      </CardHeader>
    </Card>
  )
}
