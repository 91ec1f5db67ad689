import type { ChainInfo } from '@countersign/react/chain'
import { ArrowLeft, ArrowRight } from 'lucide-react'
import { GasPrice } from '../../chain/Amount.tsx'
import { AddressLink, explorerPath, HashLink } from '../../chain/ChainLinks.tsx'
import { SourceNote } from '../../chain/ChainStates.tsx'
import { useChainRequest } from '../../chain/useChainRequest.ts'
import { formatTime } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { ButtonLink } from '../../ui/Button.tsx'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ExplorerHeader } from './ExplorerHeader.tsx'
import { CopyableText, Fact, Facts, PageState } from './Facts.tsx'
import { TransactionRows } from './TransactionRows.tsx'

const nobody = `0x${'0'.repeat(40)}`

export function BlockPage({ chain, block }: { chain: ChainInfo; block: string }) {
  const found = useChainRequest('getBlock', { chain: String(chain.id), block })
  if (found.status !== 'success')
    return (
      <>
        <ExplorerHeader
          title={/^\d{1,99}$/.test(block) ? t('Block {number}', { number: BigInt(block) }) : t('Block')}
        />
        <PageState
          state={found}
          waiting={t('Loading block…')}
          failed={t('The block could not be loaded')}
          missing={t('Block not found on {chain}. It may not exist yet.', { chain: chain.name })}
          onRetry={found.refetch}
        />
      </>
    )
  const { result, source } = found.data
  const { number, hash, timestamp, parentHash, miner, gasUsed, gasLimit, baseFeePerGas, size, transactions } = result
  const isLast = number >= (chain.head?.number ?? Number.POSITIVE_INFINITY)
  return (
    <>
      <ExplorerHeader
        title={t('Block {number}', { number })}
        aside={
          <nav aria-label={t('Adjacent blocks')} className="flex gap-2">
            {number > 0 && (
              <ButtonLink
                look="secondary"
                to={explorerPath(chain.id, 'block', number - 1)}
                aria-label={t('Previous block')}
              >
                <ArrowLeft size={18} aria-hidden="true" className="rtl:-scale-x-100" />
              </ButtonLink>
            )}
            {!isLast && (
              <ButtonLink
                look="secondary"
                to={explorerPath(chain.id, 'block', number + 1)}
                aria-label={t('Next block')}
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
            <Fact name={t('Time')}>
              {formatTime(new Date(timestamp))} (<RelativeTime date={new Date(timestamp)} />)
            </Fact>
            <Fact name={t('Hash')}>
              <CopyableText text={hash} label={t('Copy hash')} />
            </Fact>
            <Fact name={t('Previous block')}>
              {number > 0 ? (
                <HashLink chain={chain.id} place="block" hash={parentHash} whole />
              ) : (
                t('None (this is the first block)')
              )}
            </Fact>
            {miner !== nobody && (
              <Fact name={t('Fee recipient')}>
                <AddressLink chain={chain.id} address={miner} whole />
              </Fact>
            )}
            <Fact name={t('Gas used')}>{t('{used} of {all}', { used: BigInt(gasUsed), all: BigInt(gasLimit) })}</Fact>
            {baseFeePerGas !== undefined && (
              <Fact name={t('Base fee per gas')}>
                <GasPrice wei={BigInt(baseFeePerGas)} />
              </Fact>
            )}
            <Fact name={t('Size')}>{t('{count, plural, one {# byte} other {# bytes}}', { count: size })}</Fact>
            <Fact name={t('Finalized')}>{number <= (chain.finalized ?? -1) ? t('Yes') : t('Not yet')}</Fact>
          </Facts>
          <div className="mt-3">
            <SourceNote chain={chain.id} chainName={chain.name} block={found.data.block} source={source} />
          </div>
        </Card>
        <Card>
          <CardHeader
            title={t('{count, plural, one {# transaction} other {# transactions}}', { count: transactions.length })}
          />
          {transactions.length > 0 && <TransactionRows rows={transactions} chain={chain} />}
        </Card>
      </div>
    </>
  )
}
