import type { ChainInfo } from '@countersign/react'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { explorerPath } from '../../lib/chain/explorerPath.ts'
import { useChainRequest } from '../../lib/chain/useChainRequest.ts'
import { formatTime } from '../../lib/formatTime.ts'
import { say } from '../../lib/say.ts'
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
        <PageHeader
          title={/^\d{1,99}$/.test(block) ? say('Block {number}', { number: BigInt(block) }) : say('Block')}
        />
        <PageState
          state={found}
          waiting={say('Loading the block…')}
          failed={say('The block could not be loaded')}
          missing={say('{chain} has no such block. It may not have come yet.', { chain: chain.name })}
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
        title={say('Block {number}', { number })}
        aside={
          <nav aria-label={say('Neighbouring blocks')} className="flex gap-2">
            {number > 0 && (
              <ButtonLink
                look="secondary"
                to={explorerPath(chain.id, 'block', number - 1)}
                aria-label={say('Block before')}
              >
                <ArrowLeft size={18} aria-hidden="true" className="rtl:-scale-x-100" />
              </ButtonLink>
            )}
            {!isLast && (
              <ButtonLink
                look="secondary"
                to={explorerPath(chain.id, 'block', number + 1)}
                aria-label={say('Block after')}
              >
                <ArrowRight size={18} aria-hidden="true" className="rtl:-scale-x-100" />
              </ButtonLink>
            )}
          </nav>
        }
      />
      <div className="flex flex-col gap-6">
        <Card>
          <Facts>
            <Fact name={say('Time')}>
              {formatTime(new Date(timestamp))} (<RelativeTime date={new Date(timestamp)} />)
            </Fact>
            <Fact name={say('Hash')}>
              <CopyableText text={hash} label={say('Copy the hash')} />
            </Fact>
            <Fact name={say('Block before')}>
              {number > 0 ? (
                <HashLink chain={chain.id} place="block" hash={parentHash} whole />
              ) : (
                say('None: this is the first')
              )}
            </Fact>
            <Fact name={say('Made by')}>
              <AddressLink chain={chain.id} address={miner} whole />
            </Fact>
            <Fact name={say('Gas used')}>
              {say('{used} of {all}', { used: BigInt(gasUsed), all: BigInt(gasLimit) })}
            </Fact>
            {baseFeePerGas !== undefined && (
              <Fact name={say('Base fee for each gas')}>
                <Amount amount={BigInt(baseFeePerGas)} decimals={decimals} symbol={symbol} />
              </Fact>
            )}
            <Fact name={say('Size')}>{say('{count, plural, one {# byte} other {# bytes}}', { count: size })}</Fact>
            <Fact name={say('Final')}>{number <= (chain.finalized ?? -1) ? say('Yes') : say('Not yet')}</Fact>
          </Facts>
          <div className="mt-3">
            <SourceNote chain={chain.id} chainName={chain.name} block={found.data.block} source={source} />
          </div>
        </Card>
        <Card>
          <CardHeader
            title={say('{count, plural, one {# transaction} other {# transactions}}', { count: transactions.length })}
          />
          {transactions.length > 0 && <TransactionRows rows={transactions} chain={chain} />}
        </Card>
      </div>
    </>
  )
}
