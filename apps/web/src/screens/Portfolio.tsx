import { useWaysIn } from '@countersign/react'
import { Printer, QrCode, RefreshCw, WalletMinimal } from 'lucide-react'
import { useMemo, useState } from 'react'
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
import { SolanaCard } from '../components/portfolio/SolanaCard.tsx'
import { Skeleton } from '../components/Skeleton.tsx'
import { keepOwnChains } from '../lib/chain/keepOwnChains.ts'
import { usePortfolios } from '../lib/chain/usePortfolios.ts'
import { say } from '../lib/say.ts'
import { signInSheet } from '../lib/signInSheet.ts'

export function Portfolio() {
  const waysIn = useWaysIn()
  const [isReceiving, setReceiving] = useState(false)
  const wallets = waysIn.data?.wallets ?? []
  const solana = wallets.filter(({ namespace }) => namespace === 'solana')
  const others = wallets.filter(({ namespace }) => namespace !== 'solana')
  const addresses = [...new Set(others.map(({ address }) => address.toLowerCase()))]
  const portfolios = usePortfolios(addresses)
  const hasChains = portfolios.status === 'success' && portfolios.data.some(({ chains }) => chains.length > 0)
  const found = portfolios.status === 'success' ? portfolios.data : undefined
  const linked = waysIn.data?.wallets
  const own = useMemo(() => keepOwnChains(found ?? [], linked ?? []), [found, linked])
  const onSolana = solana.map((wallet) => <SolanaCard key={wallet.address} wallet={wallet} />)
  return (
    <>
      <PageHeader
        title={say('Portfolio')}
        aside={
          wallets.length > 0 ? (
            <div className="flex gap-2 print:hidden">
              <Button look="secondary" onClick={() => setReceiving(true)}>
                <QrCode size={18} aria-hidden="true" />
                {say('Receive')}
              </Button>
              <IconButton label={say('Print')} onClick={() => window.print()}>
                <Printer size={19} aria-hidden="true" />
              </IconButton>
              <IconButton label={say('Load again')} onClick={portfolios.refetch}>
                <RefreshCw size={19} aria-hidden="true" />
              </IconButton>
            </div>
          ) : (
            // The place of the buttons, so that nothing moves when they come.
            waysIn.status === 'pending' && <Skeleton className="h-11 w-54" />
          )
        }
      >
        {say('What your linked wallets hold, as the chains themselves say.')}
      </PageHeader>
      {waysIn.status === 'error' && (
        <Card>
          <ChainFailure
            error={waysIn.error}
            title={say('Your wallets could not be loaded')}
            onRetry={() => void waysIn.refetch()}
          />
        </Card>
      )}
      {linked?.length === 0 && (
        <Card>
          <EmptyState
            icon={WalletMinimal}
            title={say('No wallet yet')}
            actions={<Button onClick={() => signInSheet.open({ purpose: 'link' })}>{say('Link a wallet')}</Button>}
          >
            {say('Link one, and what it holds is shown here. Linking is free and sends nothing on chain.')}
          </EmptyState>
        </Card>
      )}
      {portfolios.status === 'error' && (
        <Card>
          <ChainFailure
            error={portfolios.error}
            title={say('Your portfolio could not be loaded')}
            onRetry={portfolios.refetch}
          />
        </Card>
      )}
      {(waysIn.status === 'pending' || (others.length > 0 && portfolios.status === 'pending')) && <PortfolioSkeleton />}
      {hasChains && (
        <PortfolioView wallets={others} portfolios={own} onMoved={portfolios.refetch}>
          {onSolana}
        </PortfolioView>
      )}
      {others.length > 0 && portfolios.status === 'success' && !hasChains && <NoChain />}
      {!hasChains && onSolana.length > 0 && <div className="mt-6 flex flex-col gap-6 first:mt-0">{onSolana}</div>}
      {wallets.length > 0 && <ReceiveDialog wallets={wallets} open={isReceiving} onOpenChange={setReceiving} />}
    </>
  )
}
