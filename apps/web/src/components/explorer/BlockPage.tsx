import type { ChainInfo } from '@countersign/react'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { explorerPath } from '../../lib/chain/explorerPath.ts'
import { useChainRequest } from '../../lib/chain/useChainRequest.ts'
import { ButtonLink } from '../ButtonLink.tsx'
import { Card } from '../Card.tsx'
import { CardHeader } from '../CardHeader.tsx'
import { AddressLink } from '../chain/AddressLink.tsx'
import { Amount } from '../chain/Amount.tsx'
import { HashLink } from '../chain/HashLink.tsx'
import { SourceNote } from '../chain/SourceNote.tsx'
import { PageHeader } from '../PageHeader.tsx'
import { RelativeTime } from '../RelativeTime.tsx'
import { CopyableText } from './CopyableText.tsx'
import { Fact } from './Fact.tsx'
import { Facts } from './Facts.tsx'
import { PageState } from './PageState.tsx'
import { TransactionRows } from './TransactionRows.tsx'

export function BlockPage({ chain, block }: { chain: ChainInfo; block: string }) {
  const found = useChainRequest('getBlock', { chain: String(chain.id), block })
  if (found.status !== 'success')
    return (
      <>
        <PageHeader title={/^\d+$/.test(block) ? `Block ${Number(block).toLocaleString()}` : 'Block'} />
        <PageState
          state={found}
          what="the block"
          missing={`${chain.name} has no such block. It may not have come yet.`}
          onRetry={found.refetch}
        />
      </>
    )
  const { result, source } = found.data
  const { number, hash, timestamp, parentHash, miner, gasUsed, gasLimit, baseFeePerGas, size, transactions } = result
  const { symbol, decimals } = chain.nativeCurrency
  const isLast = number >= (chain.head?.number ?? Number.POSITIVE_INFINITY)
  return (
    <>
      <PageHeader
        title={`Block ${number.toLocaleString()}`}
        aside={
          <nav aria-label="Neighbouring blocks" className="flex gap-2">
            {number > 0 && (
              <ButtonLink look="secondary" to={explorerPath(chain.id, 'block', number - 1)} aria-label="Block before">
                <ArrowLeft size={18} aria-hidden="true" className="rtl:-scale-x-100" />
              </ButtonLink>
            )}
            {!isLast && (
              <ButtonLink look="secondary" to={explorerPath(chain.id, 'block', number + 1)} aria-label="Block after">
                <ArrowRight size={18} aria-hidden="true" className="rtl:-scale-x-100" />
              </ButtonLink>
            )}
          </nav>
        }
      />
      <div className="flex flex-col gap-6">
        <Card>
          <Facts>
            <Fact name="Time">
              {new Date(timestamp).toLocaleString()} (<RelativeTime date={new Date(timestamp)} />)
            </Fact>
            <Fact name="Hash">
              <CopyableText text={hash} what="the hash" />
            </Fact>
            <Fact name="Block before">
              {number > 0 ? (
                <HashLink chain={chain.id} place="block" hash={parentHash} whole />
              ) : (
                'None: this is the first'
              )}
            </Fact>
            <Fact name="Made by">
              <AddressLink chain={chain.id} address={miner} whole />
            </Fact>
            <Fact name="Gas used">
              {BigInt(gasUsed).toLocaleString()} of {BigInt(gasLimit).toLocaleString()}
            </Fact>
            {baseFeePerGas !== undefined && (
              <Fact name="Base fee for each gas">
                <Amount amount={BigInt(baseFeePerGas)} decimals={decimals} symbol={symbol} />
              </Fact>
            )}
            <Fact name="Size">{size.toLocaleString()} bytes</Fact>
            <Fact name="Final">{number <= (chain.finalized ?? -1) ? 'Yes' : 'Not yet'}</Fact>
          </Facts>
          <div className="mt-3">
            <SourceNote chain={chain.id} chainName={chain.name} block={found.data.block} source={source} />
          </div>
        </Card>
        <Card>
          <CardHeader
            title={
              transactions.length === 1 ? 'One transaction' : `${transactions.length.toLocaleString()} transactions`
            }
          />
          {transactions.length > 0 && <TransactionRows rows={transactions} chain={chain} />}
        </Card>
      </div>
    </>
  )
}
