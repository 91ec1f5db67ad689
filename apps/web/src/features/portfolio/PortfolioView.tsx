import type { Wallet } from '@countersign/react/account'
import type { Portfolio } from '@countersign/react/chain'
import { ArrowUpRight, Coins } from 'lucide-react'
import {
  memo,
  type ReactNode,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { useSearchParams } from 'react-router'
import { isSameAddress, nameWallet } from '../../account/wallets/describeWallet.ts'
import { PressableAmount } from '../../chain/Amount.tsx'
import { AssetIcon } from '../../chain/AssetIcon.tsx'
import { AddressLink, sendPath } from '../../chain/ChainLinks.tsx'
import { SourceNote } from '../../chain/ChainStates.tsx'
import { type Gathered, gatherHoldings, type Holding } from '../../chain/gatherHoldings.ts'
import { mergeTransfers } from '../../chain/mergeTransfers.ts'
import { formatUsd } from '../../chain/usd.ts'
import { useNames } from '../../chain/useNames.ts'
import { byLocale } from '../../i18n/format.ts'
import { t, translateError } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { IconLink } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { ListSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import { ChipSelect } from '../../ui/forms/ChipSelect.tsx'
import { TextLink } from '../../ui/Links.tsx'
import { lazyPart } from '../../ui/lazyPart.ts'
import { Tabs } from '../../ui/Tabs.tsx'
import { VirtualRows } from '../../ui/VirtualRows.tsx'
import { traceValue } from './traceValue.ts'
import { type PriceChange, usePriceChanges } from './usePriceChanges.ts'
import { useTransferPages, type WalletOnChain } from './useWalletPages.ts'
import { ValueCard } from './ValueCard.tsx'

// Each with the tab that shows it.
const NftGallery = lazyPart(async () => (await import('./NftGallery.tsx')).NftGallery)
const PortfolioTransfers = lazyPart(async () => (await import('./PortfolioTransfers.tsx')).PortfolioTransfers)

type Props = {
  wallets: readonly Wallet[]
  portfolios: readonly Portfolio[]
  onMoved: () => void
  /** Buttons to send and receive. */
  actions: ReactNode
  /** Further assets, below the tokens. */
  children?: ReactNode
}

const listViews = () =>
  [
    { name: 'assets', label: t('Tokens') },
    { name: 'nfts', label: t('NFTs') },
    { name: 'transfers', label: t('Transfers') },
  ] as const

/** All wallets and chains together, or some of them; which is in the address, so that it can be linked to. */
export function PortfolioView({ wallets, portfolios, onMoved, actions, children }: Props) {
  const [parameters, setParameters] = useSearchParams()
  const wanted = { wallet: parameters.get('wallet')?.toLowerCase(), chain: parameters.get('chain') }
  const views = listViews()
  const view = views.find(({ name }) => name === parameters.get('show'))?.name ?? 'assets'
  const choose = (name: string, value: string) => {
    const next = new URLSearchParams(parameters)
    if (value) next.set(name, value)
    else next.delete(name)
    setParameters(next, { replace: true, preventScrollReset: true })
  }
  const chains = useMemo(
    () => [...new Map(portfolios.flatMap((each) => each.chains).map((each) => [each.chain, each])).values()],
    [portfolios],
  )
  // An old link may name what is not there any more: then it is all of them.
  const chain = chains.some((each) => String(each.chain) === wanted.chain) ? String(wanted.chain) : ''
  const wallet = wallets.find(({ address }) => address.toLowerCase() === wanted.wallet)?.address ?? ''
  const shown = useMemo(
    () => portfolios.filter(({ address }) => !wallet || isSameAddress(address, wallet)),
    [portfolios, wallet],
  )
  const parts = useMemo(() => chains.filter((each) => !chain || String(each.chain) === chain), [chains, chain])
  const gathered = useMemo(() => gatherHoldings(shown, chain ? Number(chain) : undefined), [shown, chain])
  const own = useMemo(() => new Set(shown.map(({ address }) => address)), [shown])
  const all = shown.flatMap(({ address, chains: each }) =>
    each
      .filter((part) => (!chain || String(part.chain) === chain) && part.error === undefined)
      .map((part) => ({ address, part })),
  )
  const places: WalletOnChain[] = all
    .filter(({ part }) => part.status)
    .map(({ address, part }) => ({ address, chain: part.chain, chainName: part.name }))
  const priced = all
    .filter(({ part: { native, tokens = [] } }) => [native, ...tokens].some((each) => each?.usd !== undefined))
    .map(({ address, part }) => ({ address, chain: part.chain }))

  const [isForgotten, setForgotten] = useState(false)
  // Without the list, and with a node that has the past, only the newest are needed: to see that something moved.
  const isListed = useEver(view === 'transfers' || isForgotten)
  const { merged, isPending, failed, hasMore, loadMore } = useMergedTransfers(places, isListed ? 250 : 20)
  useMoved(merged.rows[0]?.transaction, onMoved)
  const trace = useCallback(
    () => traceValue(gathered.holdings, merged.rows, own, Date.now()),
    [gathered, merged.rows, own],
  )

  return (
    <div className="flex flex-col gap-6">
      <ValueCard
        head={<TotalValue gathered={gathered} chains={parts} />}
        actions={actions}
        filters={
          <PortfolioFilters
            wallets={wallets}
            hasWalletChoice={portfolios.length > 1}
            wallet={wallet}
            chains={chains}
            chain={chain}
            onChoose={choose}
          />
        }
        places={priced}
        total={gathered.total}
        trace={trace}
        isTracing={isPending}
        since={merged.since}
        onFurther={loadMore}
        onForgotten={setForgotten}
      >
        <SourceNotes unpriced={gathered.unpriced} chains={parts} hasChart={priced.length > 0} />
      </ValueCard>
      <Card>
        <Tabs label={t('Portfolio sections')} tabs={views} current={view} />
        {view === 'assets' &&
          (gathered.holdings.length > 0 ? (
            <HoldingsList holdings={gathered.holdings} />
          ) : (
            <EmptyState icon={Coins} title={t('No assets yet')}>
              {t('Your assets on these chains will appear here.')}
            </EmptyState>
          ))}
        <Suspense fallback={<ListSkeleton label={t('Loading your portfolio…')} />}>
          {view === 'nfts' &&
            (places.length > 0 ? (
              <NftGallery places={places} />
            ) : (
              <EmptyState icon={Coins} title={t('Not available')}>
                {t('This server doesn’t index your wallets on these chains, so token balances aren’t available.')}
              </EmptyState>
            ))}
          {view === 'transfers' && (
            <PortfolioTransfers
              isPending={isPending}
              failed={failed}
              isFollowed={places.length > 0}
              rows={merged.rows}
              own={own}
              names={gathered.names}
              onEnd={hasMore ? loadMore : undefined}
            />
          )}
        </Suspense>
      </Card>
      {view === 'assets' && children}
    </div>
  )
}

/** Transfers of all places in one list, newest first. */
function useMergedTransfers(places: readonly WalletOnChain[], pageSize: number) {
  const states = useTransferPages(places, pageSize)
  const isPending = states.length < places.length || states.some(({ status }) => status === 'pending')
  const failed = states.find(({ status }) => status === 'error')
  const newestStates = useMemo(() => states.filter(({ status }) => status === 'success'), [states])
  const merged = useDeferredValue(useMemo(() => mergeTransfers(newestStates), [newestStates]))
  // While one is being read nothing more is asked for; once it is there, the end of the list is looked at again.
  const hasMore = newestStates.some((state) => state.hasMore) && !newestStates.some(({ isFetching }) => isFetching)
  const loadMore = useCallback(() => {
    for (const state of newestStates) if (state.hasMore) void state.loadMore()
  }, [newestStates])
  return { merged, isPending, failed, hasMore, loadMore }
}

/** Returns true once the value was true. */
function useEver(isSo: boolean): boolean {
  const ever = useRef(isSo)
  ever.current ||= isSo
  return ever.current
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

type PortfolioChains = readonly Portfolio['chains'][number][]

type FilterProps = {
  wallets: readonly Wallet[]
  hasWalletChoice: boolean
  wallet: string
  chains: PortfolioChains
  chain: string
  onChoose: (name: 'wallet' | 'chain', value: string) => void
}

/** Menus for one wallet and one chain, where there is a choice. */
function PortfolioFilters({ wallets, hasWalletChoice, wallet, chains, chain, onChoose }: FilterProps) {
  const nameOf = useNames(wallets.map(({ address }) => address))
  return (
    <>
      {hasWalletChoice && (
        <ChipSelect
          label={t('Wallet')}
          value={wallet}
          options={[['', t('All wallets')], ...listWalletOptions(wallets, nameOf)]}
          onChange={(value) => onChoose('wallet', value)}
        />
      )}
      {chains.length > 1 && (
        <ChipSelect
          label={t('Chain')}
          value={chain}
          options={[['', t('All chains')], ...chains.map((each) => [String(each.chain), each.name] as const)]}
          onChange={(value) => onChoose('chain', value)}
        />
      )}
    </>
  )
}

/** Total value. */
function TotalValue({ gathered: { total, unpriced }, chains }: { gathered: Gathered; chains: PortfolioChains }) {
  const isBroken = chains.some(({ error }) => error !== undefined)
  return (
    <>
      <h2 id="portfolio-total" className="text-sm font-semibold text-muted">
        {t('Total value')}
      </h2>
      <p className="mt-1 text-3xl font-semibold tracking-tight wrap-anywhere tabular-nums">
        {total === 0n && (unpriced > 0 || isBroken) ? t('Unknown') : formatUsd(total)}
      </p>
    </>
  )
}

type SourceNotesProps = { unpriced: number; chains: PortfolioChains; hasChart: boolean }

/** Blocks of the figures, and missing data. */
const SourceNotes = memo(function SourceNotes({ unpriced, chains, hasChart }: SourceNotesProps) {
  const broken = chains.filter(({ error }) => error !== undefined)
  const incomplete = chains.filter(({ complete, error }) => complete === false && error === undefined)
  return (
    <>
      {!hasChart && <p className="text-xs text-muted">{t('Based on on-chain pool prices.')}</p>}
      {unpriced > 0 && (
        <p className="text-xs text-muted">
          {t(
            '{count, plural, one {# asset without a price isn’t included.} other {# assets without a price aren’t included.}}',
            { count: unpriced },
          )}
        </p>
      )}
      {chains.map(
        ({ chain, name, block, source, status }) =>
          block && (
            <SourceNote
              key={chain}
              chain={chain}
              chainName={name}
              block={block}
              source={source}
              isSyncing={status === 'SYNCING'}
            />
          ),
      )}
      {broken.map(({ chain, name, error = '', reason }) => (
        <Alert key={chain} tone="warn" className="mt-3" title={t('{chain} isn’t available right now', { chain: name })}>
          {translateError({ message: error, reason })}
        </Alert>
      ))}
      {incomplete.map(({ chain, name, status }) => (
        <Alert key={chain} className="mt-3" title={t('{chain}: incomplete data', { chain: name })}>
          {status === 'SYNCING'
            ? t('This server is still indexing older blocks. Some tokens may be missing.')
            : t('This server doesn’t index your wallets on this chain, so only its native currency is shown.')}
        </Alert>
      ))}
    </>
  )
})

const listWalletOptions = (wallets: readonly Wallet[], nameOf: (address: string) => string | undefined) =>
  [...new Map(wallets.map((wallet) => [wallet.address, wallet])).values()].map(
    (wallet) => [wallet.address, nameWallet(wallet, nameOf)] as const,
  )

/** Currencies and tokens, with their value if known. */
const HoldingsList = memo(function HoldingsList({ holdings }: { holdings: readonly Holding[] }) {
  const prices = usePriceChanges(holdings)
  return (
    <VirtualRows
      label={t('Assets')}
      count={holdings.length}
      estimate={92}
      keyOf={(index) => holdings[index]?.key ?? String(index)}
    >
      {(index) => holdings[index] && <HoldingRow holding={holdings[index]} price={prices.get(holdings[index].key)} />}
    </VirtualRows>
  )
})

function HoldingRow({ holding, price }: { holding: Holding; price: PriceChange | undefined }) {
  const { key, chain, chainName, token, name, symbol, decimals, balance, usd, wallets, isNamesake } = holding
  return (
    <div className="flex items-start gap-3 py-4 sm:gap-3.5">
      <AssetIcon symbol={symbol ?? name} />
      <div className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] gap-x-3 sm:gap-x-4">
        <div className="min-w-0">
          <p className="line-clamp-1 font-semibold wrap-anywhere">
            {token ? (
              <AddressLink chain={chain} address={token} label={name} />
            ) : (
              <TextLink to={`/explorer/${chain}`}>{name}</TextLink>
            )}
          </p>
          <p className="truncate text-xs/5 text-muted">
            {wallets > 1
              ? t('{chain}, {count, plural, one {in # wallet} other {in # wallets}}', {
                  chain: chainName,
                  count: wallets,
                })
              : chainName}
          </p>
          {price && <TokenPrice {...price} />}
          {isNamesake && (
            <p className="mt-1">
              <Badge tone="warn">{t('Same name as another token')}</Badge>
            </p>
          )}
        </div>
        <div className="max-w-44 text-end sm:max-w-72">
          <div className="text-sm">
            <PressableAmount amount={balance} decimals={decimals} symbol={symbol} />
          </div>
          <p className="text-sm text-muted tabular-nums wrap-anywhere">
            {usd === undefined ? t('Value unknown') : formatUsd(usd)}
          </p>
        </div>
      </div>
      {balance > 0n && (
        // On a phone the row is too narrow for it: Send stands above the chart.
        <IconLink to={sendPath(key)} label={t('Send {name}', { name })} className="-me-2 max-sm:hidden">
          <ArrowUpRight size={18} aria-hidden="true" className="rtl:-scale-x-100" />
        </IconLink>
      )}
    </div>
  )
}

const getChange = byLocale(
  (locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 2, signDisplay: 'exceptZero' }),
)

/** Price of one whole token, and how it moved in 24 hours. */
function TokenPrice({ usd, change }: PriceChange) {
  return (
    <p className="text-xs/5 text-muted tabular-nums">
      {formatUsd(usd)}
      {change !== undefined && (
        <>
          {' · '}
          <span className={cx(change > 0 && 'text-ok', change < 0 && 'text-danger')}>
            {t('{change} in 24 hours', { change: getChange().format(change) })}
          </span>
        </>
      )}
    </p>
  )
}
