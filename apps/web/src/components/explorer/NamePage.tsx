import { type ChainInfo, useAddress } from '@countersign/react'
import { SearchX } from 'lucide-react'
import { say } from '../../lib/say.ts'
import { Card } from '../Card.tsx'
import { EmptyState } from '../EmptyState.tsx'
import { PageHeader } from '../PageHeader.tsx'
import { AddressPage } from './AddressPage.tsx'
import { PageState } from './PageState.tsx'

export function NamePage({ chain, name }: { chain: ChainInfo; name: string }) {
  const found = useAddress({ name, chain: chain.id })
  if (found.status === 'success' && found.data) return <AddressPage chain={chain} address={found.data.address} />
  const missing = say('{name} stands for nobody on {chain}.', { name, chain: chain.name })
  return (
    <>
      <PageHeader title={name} />
      {found.status === 'success' ? (
        <Card>
          <EmptyState icon={SearchX} title={say('Not found')}>
            {missing}
          </EmptyState>
        </Card>
      ) : (
        <PageState
          state={found}
          waiting={say('Loading the name…')}
          failed={say('The name could not be loaded')}
          missing={missing}
          onRetry={() => void found.refetch()}
        />
      )}
    </>
  )
}
