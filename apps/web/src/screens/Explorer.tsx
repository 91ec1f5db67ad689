import { useChains } from '@countersign/react'
import { useEffect } from 'react'
import { Card } from '../components/Card.tsx'
import { ChainFailure } from '../components/chain/ChainFailure.tsx'
import { NoChain } from '../components/chain/NoChain.tsx'
import { ExplorerPages } from '../components/explorer/ExplorerPages.tsx'
import { Main } from '../components/Main.tsx'
import { PageHeader } from '../components/PageHeader.tsx'
import { RowsSkeleton } from '../components/RowsSkeleton.tsx'
import { say } from '../lib/say.ts'

const pace = 12_000

export function Explorer() {
  const chains = useChains()
  const { refetch } = chains
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && void refetch(), pace)
    return () => clearInterval(timer)
  }, [refetch])
  // A chain without a head and without a fault is one of the public ones, which nobody here asked for.
  const own = chains.data?.filter(({ head, error }) => head || error !== undefined) ?? []
  const [first, ...others] = own
  return (
    <Main className="mx-auto w-full max-w-6xl px-4 pt-4 pb-10 sm:px-6">
      {first ? (
        <ExplorerPages chains={[first, ...others]} />
      ) : (
        <>
          <PageHeader title={say('Explorer')}>
            {say('What is on the chain, as this server’s own node tells it.')}
          </PageHeader>
          {chains.status === 'pending' && <RowsSkeleton label={say('Loading the chains…')} />}
          {chains.status === 'error' && (
            <Card>
              <ChainFailure
                error={chains.error}
                title={say('The chains could not be loaded')}
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
