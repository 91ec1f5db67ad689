import { type ChainInfo, useAddress } from '@countersign/react'
import { SearchX } from 'lucide-react'
import { Card } from '../Card.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { PageHeader } from '../PageHeader.tsx'
import { AddressPage } from './AddressPage.tsx'
import { PageState } from './PageState.tsx'

export function NamePage({ chain, name }: { chain: ChainInfo; name: string }) {
  const found = useAddress({ name, chain: chain.id })
  if (found.status === 'success' && found.data) return <AddressPage chain={chain} address={found.data.address} />
  const missing = `${name} stands for nobody on ${chain.name}.`
  return (
    <>
      <PageHeader title={name} />
      {found.status === 'success' ? (
        <Card>
          <EmptyState icon={SearchX} title="Not found">
            {missing}
          </EmptyState>
        </Card>
      ) : (
        <PageState state={found} what="the name" missing={missing} onRetry={() => void found.refetch()} />
      )}
    </>
  )
}
