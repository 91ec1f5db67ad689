import { useConnectors, useConnectWallet } from '@countersign/react'
import { WalletMinimal } from 'lucide-react'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { describeError, isCancelled } from '../../ui/forms/describeError.ts'

/** Only a wallet can send: which one, of those that this browser has. */
export function ConnectCard({ isSolana }: { isSolana: boolean }) {
  const connectors = useConnectors().filter(
    ({ namespace, kind }) => namespace === 'eip155' && kind !== 'network' && kind !== 'walletconnect',
  )
  const { connectWallet, status, ...outcome } = useConnectWallet()
  const error = status === 'error' ? outcome.error : undefined
  return (
    <Card>
      <EmptyState
        icon={WalletMinimal}
        title={t('Connect a wallet to send')}
        actions={connectors.map((connector) => (
          <Button
            key={connector.id}
            look="secondary"
            pending={status === 'pending'}
            onClick={() => void connectWallet({ connector }, { onError: () => {} })}
          >
            {connector.icon && <img src={connector.icon} alt="" className="size-5 rounded-sm" />}
            {t('Connect {wallet}', { wallet: connector.name })}
          </Button>
        ))}
      >
        {isSolana
          ? t('Sending from Solana wallets isn’t available yet. Connect an EVM wallet.')
          : connectors.length > 0
            ? t('Your wallet signs the transfer. Connecting doesn’t send anything.')
            : t('No wallet was found in this browser. Install one, or open this page in your wallet’s browser.')}
      </EmptyState>
      {error && !isCancelled(error) && <Alert tone="danger" title={describeError(error).message} />}
    </Card>
  )
}
