import type { ChainInfo } from '@countersign/react'
import { SearchX } from 'lucide-react'
import { Route, Routes, useNavigate, useParams } from 'react-router'
import { say } from '../../lib/say.ts'
import { Card } from '../Card.tsx'
import { ChainSelect } from '../chain/ChainSelect.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { PageHeader } from '../PageHeader.tsx'
import { AddressPage } from './AddressPage.tsx'
import { BlockPage } from './BlockPage.tsx'
import { ChainPage } from './ChainPage.tsx'
import { NamePage } from './NamePage.tsx'
import { SearchForm } from './SearchForm.tsx'
import { TransactionPage } from './TransactionPage.tsx'

type Props = { chains: readonly [ChainInfo, ...ChainInfo[]] }

/** The search box, and the page that the address names; chains go by number, name or alias there. */
export function ExplorerPages({ chains }: Props) {
  const { chain: wanted } = useParams()
  const navigate = useNavigate()
  const chain = wanted === undefined ? chains[0] : findChain(chains, wanted)
  return (
    <>
      <div className="mb-8 flex flex-wrap items-start gap-4 print:hidden">
        <SearchForm chain={(chain ?? chains[0]).id} />
        {chains.length > 1 && (
          <ChainSelect
            chains={chains}
            value={String((chain ?? chains[0]).id)}
            onChange={(id) => void navigate(`/explorer/${id}`)}
          />
        )}
      </div>
      {chain ? (
        <Routes>
          <Route path="block/:value" element={<Page chain={chain} kind="block" />} />
          <Route path="tx/:value" element={<Page chain={chain} kind="tx" />} />
          <Route path="address/:value" element={<Page chain={chain} kind="address" />} />
          <Route path="name/:value" element={<Page chain={chain} kind="name" />} />
          <Route
            index
            element={
              <>
                <PageHeader title={say('Explorer')}>
                  {say('What is on the chain, as this server’s own node tells it.')}
                </PageHeader>
                <ChainPage chain={chain} />
              </>
            }
          />
          <Route path="*" element={<Nothing>{say('There is no such page in the explorer.')}</Nothing>} />
        </Routes>
      ) : (
        <Nothing>{say('This server reads no chain that is called {name}.', { name: wanted ?? '' })}</Nothing>
      )}
    </>
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
      <PageHeader title={say('Explorer')} />
      <Card>
        <EmptyState icon={SearchX} title={say('Not found')}>
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
