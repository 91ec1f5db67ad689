import { type ChainInfo, useChains } from '@countersign/react/chain'
import { SearchX } from 'lucide-react'
import { useEffect } from 'react'
import { Route, Routes, useParams } from 'react-router'
import { ChainFailure, NoChain } from '../../chain/ChainStates.tsx'
import { t } from '../../i18n/translate.ts'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { RowsSkeleton } from '../../ui/feedback/RowsSkeleton.tsx'
import { Main } from '../../ui/Page.tsx'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { AddressPage, NamePage } from './AddressPage.tsx'
import { BlockPage } from './BlockPage.tsx'
import { ChainPage } from './ChainPage.tsx'
import { ExplorerHeader, SearchedChains } from './ExplorerHeader.tsx'
import { TransactionPage } from './TransactionPage.tsx'

const pace = 12_000

export function Explorer() {
  const chains = useChains()
  const { refetch } = chains
  // A server that said how long to wait is not asked again before a person does.
  const isLimited = chains.error?.rateLimit !== undefined
  useEffect(() => {
    if (isLimited) return
    const timer = setInterval(() => document.visibilityState === 'visible' && void refetch(), pace)
    return () => clearInterval(timer)
  }, [refetch, isLimited])
  // A chain without a head and without an error is a public one, which was not asked.
  const own = chains.data?.filter(({ head, error }) => head || error !== undefined) ?? []
  const [first, ...others] = own
  return (
    <Main className="mx-auto w-full max-w-6xl px-4 pt-4 pb-10 sm:px-6">
      {first ? (
        <ExplorerPages chains={[first, ...others]} />
      ) : (
        <>
          <PageHeader title={t('Explorer')}>{t('On-chain data, read from this server’s own node.')}</PageHeader>
          {chains.status === 'pending' && <RowsSkeleton label={t('Loading chains…')} />}
          {chains.status === 'error' && (
            <Card>
              <ChainFailure
                error={chains.error}
                title={t('The chains could not be loaded')}
                onRetry={() => void refetch()}
              />
            </Card>
          )}
          {chains.status === 'success' && <NoChain />}
        </>
      )}
    </Main>
  )
}

type Props = { chains: readonly [ChainInfo, ...ChainInfo[]] }

/** The page that the address names; chains go by number, name or alias there. */
function ExplorerPages({ chains }: Props) {
  const { chain: wanted } = useParams()
  const chain = wanted === undefined ? chains[0] : findChain(chains, wanted)
  return (
    <SearchedChains value={{ chains, chain: chain ?? chains[0] }}>
      {chain ? (
        <Routes>
          <Route path="block/:value" element={<Page chain={chain} kind="block" />} />
          <Route path="tx/:value" element={<Page chain={chain} kind="tx" />} />
          <Route path="address/:value" element={<Page chain={chain} kind="address" />} />
          <Route path="name/:value" element={<Page chain={chain} kind="name" />} />
          <Route index element={<ChainPage chain={chain} />} />
          <Route path="*" element={<Nothing>{t('This explorer page doesn’t exist.')}</Nothing>} />
        </Routes>
      ) : (
        <Nothing>{t('This server has no chain named {name}.', { name: wanted ?? '' })}</Nothing>
      )}
    </SearchedChains>
  )
}

function Page({ chain, kind }: { chain: ChainInfo; kind: 'block' | 'tx' | 'address' | 'name' }) {
  const { value = '' } = useParams()
  if (kind === 'block') return <BlockPage key={value} chain={chain} block={value} />
  if (kind === 'tx') return <TransactionPage key={value} chain={chain} hash={value.toLowerCase()} />
  if (kind === 'name') return <NamePage key={value} chain={chain} name={value} />
  return <AddressPage key={value} chain={chain} address={value.toLowerCase()} />
}

function Nothing({ children }: { children: React.ReactNode }) {
  return (
    <>
      <ExplorerHeader title={t('Explorer')} />
      <Card>
        <EmptyState icon={SearchX} title={t('Not found')}>
          {children}
        </EmptyState>
      </Card>
    </>
  )
}

function findChain(chains: readonly ChainInfo[], wanted: string): ChainInfo | undefined {
  const text = wanted.toLowerCase()
  return chains.find(
    ({ id, name, aliases }) =>
      String(id) === text ||
      `0x${id.toString(16)}` === text ||
      [name, ...aliases].some((each) => each.toLowerCase() === text),
  )
}
