import { useSignInMethods } from '@countersign/react/account'
import { ArrowUpRight, ChartPie, QrCode } from 'lucide-react'
import { Suspense, useMemo, useState } from 'react'
import { signInSheet } from '../../account/signIn/signInSheet.ts'
import { sendPath } from '../../chain/ChainLinks.tsx'
import { ChainFailure, NoChain } from '../../chain/ChainStates.tsx'
import { keepOwnChains, usePortfolios } from '../../chain/usePortfolios.ts'
import { t } from '../../i18n/translate.ts'
import { Button, ButtonLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { RowsSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { useShowsKept } from '../../ui/keptSince.ts'
import { lazyPart } from '../../ui/lazyPart.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { PortfolioView } from './PortfolioView.tsx'

// Menus, dialogs and what few people have come after the figures.
const PortfolioMenu = lazyPart(async () => (await import('./PortfolioMenu.tsx')).PortfolioMenu)
const ReceiveDialog = lazyPart(async () => (await import('../../account/wallets/ReceiveDialog.tsx')).ReceiveDialog)
const SolanaCard = lazyPart(async () => (await import('./SolanaCard.tsx')).SolanaCard)

export function Portfolio() {
  const signInMethods = useSignInMethods()
  const [isReceiving, setReceiving] = useState<boolean>()
  const wallets = signInMethods.data?.wallets ?? []
  const solana = wallets.filter(({ namespace }) => namespace === 'solana')
  const others = wallets.filter(({ namespace }) => namespace !== 'solana')
  const addresses = [...new Set(others.map(({ address }) => address.toLowerCase()))]
  const portfolios = usePortfolios(addresses)
  useShowsKept(signInMethods)
  useShowsKept(portfolios)
  const hasChains = portfolios.status === 'success' && portfolios.data.some(({ chains }) => chains.length > 0)
  const found = portfolios.status === 'success' ? portfolios.data : undefined
  const linked = signInMethods.data?.wallets
  const own = useMemo(() => keepOwnChains(found ?? [], linked ?? []), [found, linked])
  const onSolana = solana.map((wallet) => (
    <Suspense key={wallet.address} fallback={<RowsSkeleton label={t('Loading your portfolio…')} />}>
      <SolanaCard wallet={wallet} />
    </Suspense>
  ))
  const actions = (
    <div className="flex gap-2 max-sm:w-full max-sm:*:flex-1">
      {hasChains && (
        <ButtonLink to={sendPath()}>
          <ArrowUpRight size={18} aria-hidden="true" className="rtl:-scale-x-100" />
          {t('Send')}
        </ButtonLink>
      )}
      <Button look={hasChains ? 'secondary' : 'primary'} onClick={() => setReceiving(true)}>
        <QrCode size={18} aria-hidden="true" />
        {t('Receive')}
      </Button>
    </div>
  )
  return (
    <>
      <PageHeader
        title={t('Portfolio')}
        aside={
          wallets.length > 0 ? (
            <Suspense fallback={<Skeleton className="size-11" />}>
              <PortfolioMenu onRefresh={portfolios.refetch} />
            </Suspense>
          ) : (
            // The place of the buttons, so that nothing moves when they come.
            signInMethods.status === 'pending' && <Skeleton className="size-11" />
          )
        }
      >
        {wallets.length > 0 && t('Balances of your linked wallets, read from the chain.')}
      </PageHeader>
      {signInMethods.status === 'error' && (
        <Card>
          <ChainFailure
            error={signInMethods.error}
            title={t('Your wallets could not be loaded')}
            onRetry={() => void signInMethods.refetch()}
          />
        </Card>
      )}
      {linked?.length === 0 && (
        <Card>
          <EmptyState
            icon={ChartPie}
            title={t('Nothing to show yet')}
            actions={<Button onClick={() => signInSheet.open({ purpose: 'link' })}>{t('Link a wallet')}</Button>}
          >
            {t('Link a wallet to see its balances here. It’s free and doesn’t send a transaction.')}
          </EmptyState>
        </Card>
      )}
      {portfolios.status === 'error' && (
        <Card>
          <ChainFailure
            error={portfolios.error}
            title={t('Your portfolio could not be loaded')}
            onRetry={portfolios.refetch}
          />
        </Card>
      )}
      {(signInMethods.status === 'pending' || (others.length > 0 && portfolios.status === 'pending')) && (
        <PortfolioSkeleton />
      )}
      {hasChains && (
        <PortfolioView wallets={others} portfolios={own} onMoved={portfolios.refetch} actions={actions}>
          {onSolana}
        </PortfolioView>
      )}
      {others.length > 0 && portfolios.status === 'success' && !hasChains && <NoChain />}
      {!hasChains && onSolana.length > 0 && (
        <div className="mt-6 flex flex-col gap-6 first:mt-0">
          {actions}
          {onSolana}
        </div>
      )}
      {wallets.length > 0 && isReceiving !== undefined && (
        <Suspense>
          <ReceiveDialog wallets={wallets} open={isReceiving} onOpenChange={setReceiving} />
        </Suspense>
      )}
    </>
  )
}

function PortfolioSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <Card aria-hidden="true" className="animate-wait">
        <Skeleton className="h-4 w-24" />
        <Skeleton className="mt-2 h-9 w-52" />
        <Skeleton className="mt-6 h-72" />
      </Card>
      <RowsSkeleton label={t('Loading your portfolio…')} />
    </div>
  )
}
