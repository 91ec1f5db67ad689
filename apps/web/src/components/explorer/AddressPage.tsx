import { type ChainInfo, shortenAddress, useToken } from '@countersign/react'
import { Link, useSearchParams } from 'react-router'
import { useChainRequest } from '../../lib/chain/useChainRequest.ts'
import { cx } from '../../lib/cx.ts'
import { Badge } from '../Badge.tsx'
import { Card } from '../Card.tsx'
import { Amount } from '../chain/Amount.tsx'
import { SourceNote } from '../chain/SourceNote.tsx'
import { PageHeader } from '../PageHeader.tsx'
import { AddressTokens } from './AddressTokens.tsx'
import { AddressTransactions } from './AddressTransactions.tsx'
import { AddressTransfers } from './AddressTransfers.tsx'
import { CopyableText } from './CopyableText.tsx'
import { Fact } from './Fact.tsx'
import { Facts } from './Facts.tsx'
import { PageState } from './PageState.tsx'

const views = [
  { name: 'transfers', label: 'Transfers' },
  { name: 'transactions', label: 'Transactions' },
  { name: 'tokens', label: 'Tokens' },
] as const

export function AddressPage({ chain, address }: { chain: ChainInfo; address: string }) {
  const found = useChainRequest('getAddress', { chain: String(chain.id), address })
  const isContract = found.status === 'success' && found.data.result.isContract
  const token = useToken({ token: isContract ? address : (undefined as unknown as string), chain: chain.id })
  const [parameters] = useSearchParams()
  const view = views.find(({ name }) => name === parameters.get('show'))?.name ?? 'transfers'
  if (found.status !== 'success')
    return (
      <>
        <PageHeader title={`Address ${shortenAddress(address)}`} />
        <PageState state={found} what="the address" missing="This is no address of a chain." onRetry={found.refetch} />
      </>
    )
  const { block, source, result } = found.data
  const about = token.status === 'success' ? token.data : undefined
  const { symbol, decimals } = chain.nativeCurrency
  const title = result.name ?? about?.name ?? `Address ${shortenAddress(address)}`
  return (
    <>
      <PageHeader title={title} />
      <div className="flex flex-col gap-6">
        <Card>
          <Facts>
            <Fact name="Address">
              <CopyableText text={address} what="the address" />
            </Fact>
            <Fact name="Kind">
              <Badge tone={result.isContract ? 'accent' : 'neutral'}>
                {result.isContract ? 'Contract' : 'Key pair'}
              </Badge>
            </Fact>
            {result.name && <Fact name="Name">{result.name}</Fact>}
            {about?.symbol && (
              <Fact name="Token">
                {about.name} ({about.symbol}){about.decimals !== undefined && `, ${about.decimals} decimals`}
              </Fact>
            )}
            <Fact name="Balance">
              <Amount amount={BigInt(result.balance)} decimals={decimals} symbol={symbol} />
            </Fact>
            <Fact name="Transactions sent">{result.nonce.toLocaleString()}</Fact>
          </Facts>
          <div className="mt-3">
            <SourceNote chain={chain.id} chainName={chain.name} block={block} source={source} />
          </div>
        </Card>
        <Card>
          <nav aria-label="Parts of the address" className="-mt-2 mb-3 flex gap-1 overflow-x-auto border-b border-line">
            {views.map(({ name, label }) => (
              <Link
                key={name}
                to={`?show=${name}`}
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
          {view === 'transfers' && <AddressTransfers chain={chain} address={address} />}
          {view === 'transactions' && <AddressTransactions chain={chain} address={address} />}
          {view === 'tokens' && <AddressTokens chain={chain} address={address} />}
        </Card>
      </div>
    </>
  )
}
