import type { CountersignError, Portfolio, Wallet } from '@countersign/react'
import { ArrowLeftRight, Coins } from 'lucide-react'
import { useCallback, useDeferredValue, useEffect, useMemo, useRef } from 'react'
import { Link, useSearchParams } from 'react-router'
import { gatherHoldings } from '../../lib/chain/gatherHoldings.ts'
import { mergeTransfers } from '../../lib/chain/mergeTransfers.ts'
import { traceValue } from '../../lib/chain/traceValue.ts'
import { formatUsd } from '../../lib/chain/usd.ts'
import { useSourceStates } from '../../lib/chain/useSourceStates.ts'
import type { WalletOnChain } from '../../lib/chain/WalletOnChain.ts'
import { cx } from '../../lib/cx.ts'
import { formatDate } from '../../lib/formatDate.ts'
import { Alert } from '../Alert.tsx'
import { Button } from '../Button.tsx'
import { Card } from '../Card.tsx'
import { CardHeader } from '../CardHeader.tsx'
import { ChainFailure } from '../chain/ChainFailure.tsx'
import { ChainSelect } from '../chain/ChainSelect.tsx'
import { SourceNote } from '../chain/SourceNote.tsx'
import { TransferRows } from '../chain/TransferRows.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { HoldingsList } from './HoldingsList.tsx'
import { NftGallery } from './NftGallery.tsx'
import { type SourceState, TransferSource } from './TransferSource.tsx'
import { ValueChart } from './ValueChart.tsx'
import { WalletSelect } from './WalletSelect.tsx'

type Props = { wallets: readonly Wallet[]; portfolios: readonly Portfolio[]; onMoved: () => void }

const views = [
  { name: 'assets', label: 'Tokens' },
  { name: 'nfts', label: 'Collectibles' },
  { name: 'transfers', label: 'Transfers' },
] as const

/** All wallets and chains together, or some of them; which is in the address, so that it can be linked to. */
export function PortfolioView({ wallets, portfolios, onMoved }: Props) {
  const [parameters, setParameters] = useSearchParams()
  const wallet = parameters.get('wallet') ?? ''
  const chain = parameters.get('chain') ?? ''
  const view = views.find(({ name }) => name === parameters.get('show'))?.name ?? 'assets'
  const choose = (name: string, value: string) => {
    const next = new URLSearchParams(parameters)
    if (value) next.set(name, value)
    else next.delete(name)
    setParameters(next, { replace: true, preventScrollReset: true })
  }
  const shown = useMemo(
    () => portfolios.filter(({ address }) => !wallet || address === wallet.toLowerCase()),
    [portfolios, wallet],
  )
  const chains = [...new Map(portfolios.flatMap((each) => each.chains).map((each) => [each.chain, each])).values()]
  const parts = chains.filter((each) => !chain || String(each.chain) === chain)
  const broken = parts.filter(({ error }) => error !== undefined)
  const incomplete = parts.filter(({ complete, error }) => complete === false && error === undefined)
  const gathered = useMemo(() => gatherHoldings(shown, chain ? Number(chain) : undefined), [shown, chain])
  const own = useMemo(() => new Set(shown.map(({ address }) => address)), [shown])
  const places: WalletOnChain[] = shown.flatMap(({ address, chains }) =>
    chains
      .filter((each) => (!chain || String(each.chain) === chain) && each.error === undefined && each.status)
      .map((each) => ({ address, chain: each.chain, chainName: each.name })),
  )

  const [states, tell] = useSourceStates<SourceState>()
  const isPending = states.length < places.length || states.some(({ status }) => status === 'pending')
  const failed = states.find(({ status }) => status === 'error')
  const merged = useDeferredValue(mergeTransfers(states.filter(({ status }) => status === 'success')))
  const newest = merged.rows[0]?.transaction
  useMoved(newest, onMoved)
  const points = useMemo(
    () => traceValue(gathered.holdings, merged.rows, own, Date.now()),
    [gathered, merged.rows, own],
  )
  const behind = states.filter(({ hasMore, status }) => hasMore && status === 'success')
  const loadMore = useCallback(() => {
    for (const { loadMore: load } of behind) void load()
  }, [behind])

  return (
    <div className="flex flex-col gap-6">
      {places.map(({ address, chain: id }) => (
        <TransferSource key={`${address} ${id}`} address={address} chain={id} onState={tell} />
      ))}
      {(wallets.length > 1 || chains.length > 1) && (
        <div className="flex flex-wrap gap-4">
          {wallets.length > 1 && (
            <WalletSelect
              wallets={wallets}
              value={wallet}
              onChange={(value) => choose('wallet', value)}
              all="All wallets"
            />
          )}
          {chains.length > 1 && (
            <ChainSelect
              chains={chains.map(({ chain: id, name }) => ({ id, name }))}
              value={chain}
              onChange={(value) => choose('chain', value)}
              all="All chains"
            />
          )}
        </div>
      )}
      <Card aria-labelledby="portfolio-total">
        <h2 id="portfolio-total" className="text-sm font-semibold text-muted">
          Value in all
        </h2>
        <p className="mt-1 text-3xl font-semibold tracking-tight break-words tabular-nums">
          {gathered.total === 0n && gathered.unpriced > 0 ? 'Unknown' : formatUsd(gathered.total)}
        </p>
        <p className="mt-1 text-sm text-muted">
          By the prices of pools on the chain.
          {gathered.unpriced > 0 &&
            ` ${gathered.unpriced === 1 ? 'One holding has' : `${gathered.unpriced} holdings have`} no known price and ${gathered.unpriced === 1 ? 'is' : 'are'} not counted.`}
        </p>
        <div className="mt-3 flex flex-col gap-0.5">
          {parts.map(
            ({ chain: id, name, block, source, status }) =>
              block && (
                <SourceNote
                  key={id}
                  chain={id}
                  chainName={name}
                  block={block}
                  source={source}
                  isSyncing={status === 'SYNCING'}
                />
              ),
          )}
        </div>
        {broken.map(({ chain: id, name, error }) => (
          <Alert key={id} tone="warn" className="mt-3" title={`${name} cannot be read now`}>
            {error}
          </Alert>
        ))}
        {incomplete.map(({ chain: id, name, status }) => (
          <Alert key={id} className="mt-3" title={`${name}: not everything is known`}>
            {status === 'SYNCING'
              ? 'The server still reads older blocks, so tokens may be lacking.'
              : 'The server does not follow your wallets there, so only the chain’s own currency is shown.'}
          </Alert>
        ))}
      </Card>
      {(points.length > 1 || isPending) && (
        <Card aria-labelledby="portfolio-chart">
          <CardHeader id="portfolio-chart" title="Value over time" />
          {points.length > 1 ? <ValueChart points={points} /> : <Skeleton className="h-72" />}
          {merged.since && (
            <p className="mt-2 flex flex-wrap items-center gap-3 text-sm text-muted">
              Transfers are read back to {formatDate(merged.since)}.
              <Button look="secondary" onClick={loadMore}>
                Go further back
              </Button>
            </p>
          )}
        </Card>
      )}
      <Card>
        <nav aria-label="Parts of the portfolio" className="-mt-2 mb-3 flex gap-1 overflow-x-auto border-b border-line">
          {views.map(({ name, label }) => (
            <Link
              key={name}
              to={`?${withView(parameters, name)}`}
              preventScrollReset
              aria-current={view === name ? 'page' : undefined}
              className={cx(
                'inline-flex min-h-11 items-center border-b-2 px-3 text-sm font-semibold whitespace-nowrap',
                view === name ? 'border-accent text-accent' : 'border-transparent text-muted hover:text-ink',
              )}
            >
              {label}
            </Link>
          ))}
        </nav>
        {view === 'assets' &&
          (gathered.holdings.length > 0 ? (
            <HoldingsList holdings={gathered.holdings} />
          ) : (
            <EmptyState icon={Coins} title="Nothing here yet">
              What your wallets hold on these chains is shown here.
            </EmptyState>
          ))}
        {view === 'nfts' &&
          (places.length > 0 ? (
            <NftGallery places={places} />
          ) : (
            <EmptyState icon={Coins} title="Not available here">
              The server does not follow your wallets on these chains, and a node alone cannot tell what they hold.
            </EmptyState>
          ))}
        {view === 'transfers' && (
          <Transfers
            isPending={isPending}
            failed={failed}
            isFollowed={places.length > 0}
            rows={merged.rows}
            own={own}
            onEnd={behind.length > 0 ? loadMore : undefined}
          />
        )}
      </Card>
    </div>
  )
}

type TransfersProps = {
  isPending: boolean
  failed: (SourceState & { error?: CountersignError }) | undefined
  isFollowed: boolean
  rows: ReturnType<typeof mergeTransfers>['rows']
  own: ReadonlySet<string>
  onEnd: (() => void) | undefined
}

function Transfers({ isPending, failed, isFollowed, rows, own, onEnd }: TransfersProps) {
  if (!isFollowed)
    return (
      <EmptyState icon={ArrowLeftRight} title="Not available here">
        The server does not follow your wallets on these chains, and a node alone cannot list their transfers.
      </EmptyState>
    )
  return (
    <>
      {failed?.error && (
        <ChainFailure
          error={failed.error}
          title="Your transfers could not be loaded"
          onRetry={() => void failed.refetch()}
        />
      )}
      {rows.length > 0 && <TransferRows rows={rows} own={own} onEnd={onEnd} />}
      {rows.length === 0 && isPending && (
        <div aria-busy="true" className="animate-wait">
          <span role="status" className="sr-only">
            Loading your transfers…
          </span>
          {[1, 2, 3, 4, 5].map((row) => (
            <Skeleton key={row} className="my-3 h-14" />
          ))}
        </div>
      )}
      {rows.length === 0 && !isPending && !failed && (
        <EmptyState icon={ArrowLeftRight} title="No transfers yet">
          As soon as a token comes or goes, it is shown here.
        </EmptyState>
      )}
    </>
  )
}

function withView(parameters: URLSearchParams, view: string): string {
  const next = new URLSearchParams(parameters)
  next.set('show', view)
  return next.toString()
}

/** A transfer that came while one looks means that balances are others now. */
function useMoved(newest: string | undefined, onMoved: () => void): void {
  const known = useRef<string>(undefined)
  useEffect(() => {
    if (newest === undefined || newest === known.current) return
    const isFirst = known.current === undefined
    known.current = newest
    if (isFirst) return
    const timer = setTimeout(onMoved, 400)
    return () => clearTimeout(timer)
  }, [newest, onMoved])
}
