import { useWaysIn } from '@countersign/react'
import { QrCode, RefreshCw, WalletMinimal } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../components/Button.tsx'
import { Card } from '../components/Card.tsx'
import { ChainFailure } from '../components/chain/ChainFailure.tsx'
import { NoChain } from '../components/chain/NoChain.tsx'
import { EmptyState } from '../components/EmptyState.tsx'
import { IconButton } from '../components/IconButton.tsx'
import { PageHeader } from '../components/PageHeader.tsx'
import { PortfolioSkeleton } from '../components/portfolio/PortfolioSkeleton.tsx'
import { PortfolioView } from '../components/portfolio/PortfolioView.tsx'
import { ReceiveDialog } from '../components/portfolio/ReceiveDialog.tsx'
import { usePortfolios } from '../lib/chain/usePortfolios.ts'
import { signInSheet } from '../lib/signInSheet.ts'

export function Portfolio() {
  const waysIn = useWaysIn()
  const [isReceiving, setReceiving] = useState(false)
  const wallets =
    waysIn.status === 'success' ? waysIn.data.wallets.filter(({ namespace }) => namespace !== 'solana') : []
  const addresses = [...new Set(wallets.map(({ address }) => address.toLowerCase()))]
  const portfolios = usePortfolios(addresses)
  const isEmpty = waysIn.status === 'success' && wallets.length === 0
  const hasChains = portfolios.status === 'success' && portfolios.data.some(({ chains }) => chains.length > 0)
  return (
    <>
      <PageHeader
        title="Portfolio"
        aside={
          wallets.length > 0 && (
            <div className="flex gap-2">
              <Button look="secondary" onClick={() => setReceiving(true)}>
                <QrCode size={18} aria-hidden="true" />
                Receive
              </Button>
              <IconButton label="Load again" onClick={portfolios.refetch}>
                <RefreshCw size={19} aria-hidden="true" />
              </IconButton>
            </div>
          )
        }
      >
        What your linked wallets hold, as the chains themselves say.
      </PageHeader>
      {waysIn.status === 'error' && (
        <Card>
          <ChainFailure
            error={waysIn.error}
            title="Your wallets could not be loaded"
            onRetry={() => void waysIn.refetch()}
          />
        </Card>
      )}
      {isEmpty && (
        <Card>
          <EmptyState
            icon={WalletMinimal}
            title="No wallet yet"
            actions={<Button onClick={() => signInSheet.open({ purpose: 'link' })}>Link a wallet</Button>}
          >
            Link one, and what it holds is shown here. Linking is free and sends nothing on chain.
          </EmptyState>
        </Card>
      )}
      {portfolios.status === 'error' && (
        <Card>
          <ChainFailure
            error={portfolios.error}
            title="Your portfolio could not be loaded"
            onRetry={portfolios.refetch}
          />
        </Card>
      )}
      {(waysIn.status === 'pending' || (!isEmpty && portfolios.status === 'pending')) && <PortfolioSkeleton />}
      {hasChains && <PortfolioView wallets={wallets} portfolios={portfolios.data} onMoved={portfolios.refetch} />}
      {wallets.length > 0 && portfolios.status === 'success' && !hasChains && <NoChain />}
      {wallets.length > 0 && <ReceiveDialog wallets={wallets} open={isReceiving} onOpenChange={setReceiving} />}
    </>
  )
}
