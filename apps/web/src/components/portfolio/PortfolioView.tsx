import type { Portfolio, Wallet } from '@countersign/react'
import { Coins } from 'lucide-react'
import { type ReactNode, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { gatherHoldings } from '../../lib/chain/gatherHoldings.ts'
import { mergeTransfers } from '../../lib/chain/mergeTransfers.ts'
import { traceValue } from '../../lib/chain/traceValue.ts'
import { useSourceStates } from '../../lib/chain/useSourceStates.ts'
import type { WalletOnChain } from '../../lib/chain/WalletOnChain.ts'
import { say } from '../../lib/say.ts'
import { Card } from '../Card.tsx'
import { ChainSelect } from '../chain/ChainSelect.tsx'
import { Tabs } from '../chain/Tabs.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { HoldingsList } from './HoldingsList.tsx'
import { NftGallery } from './NftGallery.tsx'
import { PortfolioTransfers } from './PortfolioTransfers.tsx'
import { TotalCard } from './TotalCard.tsx'
import { type SourceState, TransferSource } from './TransferSource.tsx'
import { ValueCard } from './ValueCard.tsx'
import { WalletSelect } from './WalletSelect.tsx'

type Props = {
  wallets: readonly Wallet[]
  portfolios: readonly Portfolio[]
  onMoved: () => void
  /** What else the wallets hold, below the tokens. */
  children?: ReactNode
}

const listViews = () =>
  [
    { name: 'assets', label: say('Tokens') },
    { name: 'nfts', label: say('Collectibles') },
    { name: 'transfers', label: say('Transfers') },
  ] as const

/** All wallets and chains together, or some of them; which is in the address, so that it can be linked to. */
export function PortfolioView({ wallets, portfolios, onMoved, children }: Props) {
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
    () => portfolios.filter(({ address }) => !wallet || address === wallet.toLowerCase()),
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
  // Without the list, and where the node tells of the past, only the newest are needed: to see that something moved.
  const isListed = useEver(view === 'transfers' || isForgotten)
  const [states, tell] = useSourceStates<SourceState>()
  const isPending = states.length < places.length || states.some(({ status }) => status === 'pending')
  const failed = states.find(({ status }) => status === 'error')
  const newestStates = useMemo(() => states.filter(({ status }) => status === 'success'), [states])
  const merged = useDeferredValue(useMemo(() => mergeTransfers(newestStates), [newestStates]))
  useMoved(merged.rows[0]?.transaction, onMoved)
  const trace = useCallback(
    () => traceValue(gathered.holdings, merged.rows, own, Date.now()),
    [gathered, merged.rows, own],
  )
  // While one is being read nothing more is asked for; once it is there, the end of the list is looked at again.
  const hasMore = newestStates.some((state) => state.hasMore) && !newestStates.some(({ isFetching }) => isFetching)
  const loadMore = useCallback(() => {
    for (const state of newestStates) if (state.hasMore) void state.loadMore()
  }, [newestStates])

  return (
    <div className="flex flex-col gap-6">
      {places.map(({ address, chain: id }) => (
        <TransferSource
          key={`${address} ${id}`}
          address={address}
          chain={id}
          limit={isListed ? 250 : 20}
          onState={tell}
        />
      ))}
      {(portfolios.length > 1 || chains.length > 1) && (
        <div className="flex flex-wrap gap-4 print:hidden">
          {portfolios.length > 1 && (
            <WalletSelect
              wallets={wallets}
              value={wallet}
              onChange={(value) => choose('wallet', value)}
              all={say('All wallets')}
            />
          )}
          {chains.length > 1 && (
            <ChainSelect
              chains={chains.map(({ chain: id, name }) => ({ id, name }))}
              value={chain}
              onChange={(value) => choose('chain', value)}
              all={say('All chains')}
            />
          )}
        </div>
      )}
      <TotalCard gathered={gathered} chains={parts} />
      <ValueCard
        places={priced}
        total={gathered.total}
        trace={trace}
        isTracing={isPending}
        since={merged.since}
        onFurther={loadMore}
        onForgotten={setForgotten}
      />
      <Card>
        <Tabs label={say('Parts of the portfolio')} tabs={views} current={view} />
        {view === 'assets' &&
          (gathered.holdings.length > 0 ? (
            <HoldingsList holdings={gathered.holdings} />
          ) : (
            <EmptyState icon={Coins} title={say('Nothing here yet')}>
              {say('What your wallets hold on these chains is shown here.')}
            </EmptyState>
          ))}
        {view === 'nfts' &&
          (places.length > 0 ? (
            <NftGallery places={places} />
          ) : (
            <EmptyState icon={Coins} title={say('Not available here')}>
              {say(
                'The server does not follow your wallets on these chains, and a node alone cannot tell what they hold.',
              )}
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
      </Card>
      {view === 'assets' && children}
    </div>
  )
}

/** Whether something was so at any time. */
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
