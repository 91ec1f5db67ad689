import type { ChainInfo } from '@countersign/react/chain'
import { BlockLink } from '../../chain/ChainLinks.tsx'
import { useChainRequest } from '../../chain/useChainRequest.ts'
import { byLocale, formatNumber } from '../../i18n/format.ts'
import { t, translateError } from '../../i18n/translate.ts'
import { Card, CardHeader } from '../../ui/Card.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import { Skeleton } from '../../ui/feedback/Skeleton.tsx'
import { RelativeTime } from '../../ui/RelativeTime.tsx'
import { ExplorerHeader } from './ExplorerHeader.tsx'
import { Fact, Facts } from './Facts.tsx'

const shown = 6

/** How far a chain is, and its newest blocks. */
export function ChainPage({ chain }: { chain: ChainInfo }) {
  const { head, finalized, index, error, reason } = chain
  const newest = head?.number ?? -1
  const blocks = Array.from({ length: Math.min(shown, newest + 1) }, (_none, place) => newest - place)
  return (
    <>
      <ExplorerHeader title={t('Explorer')}>{t('On-chain data, read from this server’s own node.')}</ExplorerHeader>
      <div className="flex flex-col gap-6">
        {error !== undefined && (
          <Alert tone="warn" title={t('{chain} isn’t available right now', { chain: chain.name })}>
            {translateError({ message: error, reason })}
          </Alert>
        )}
        <Card>
          <CardHeader title={chain.name} />
          <Facts>
            <Fact name={t('Chain ID')}>{chain.id}</Fact>
            <Fact name={t('Currency')}>
              {chain.nativeCurrency.name} ({chain.nativeCurrency.symbol})
            </Fact>
            {head && (
              <Fact name={t('Latest block')}>
                <BlockLink chain={chain.id} block={head.number} />, <RelativeTime date={new Date(head.timestamp)} />
              </Fact>
            )}
            {finalized !== undefined && (
              <Fact name={t('Finalized block')}>
                <BlockLink chain={chain.id} block={finalized} />
              </Fact>
            )}
            <Fact name={t('Index|state')}>
              {!index
                ? t('None. Lists by address aren’t available.')
                : index.status === 'SYNCED'
                  ? t('Up to date (block {block})', { block: index.block })
                  : t('Indexing older blocks, {part}% done', { part: Math.floor(index.progress * 100) })}
            </Fact>
          </Facts>
        </Card>
        {blocks.length > 0 && (
          <Card>
            <CardHeader id="latest-blocks" title={t('Latest blocks')} />
            <table aria-labelledby="latest-blocks" className="w-full text-sm tabular-nums">
              <thead className="text-xs text-muted">
                <tr className="*:pb-2 *:font-semibold">
                  <th scope="col" className="text-start">
                    {t('Block')}
                  </th>
                  <th scope="col" className="text-start">
                    {t('Age')}
                  </th>
                  <th scope="col" className="text-end">
                    {t('Transactions')}
                  </th>
                  <th scope="col" className="text-end max-sm:hidden">
                    {t('Gas used')}
                  </th>
                </tr>
              </thead>
              <tbody>
                {blocks.map((block) => (
                  <BlockRow key={block} chain={chain} block={block} />
                ))}
              </tbody>
            </table>
          </Card>
        )}
      </div>
    </>
  )
}

const getPercent = byLocale((locale) => new Intl.NumberFormat(locale, { style: 'percent', maximumFractionDigits: 1 }))

function BlockRow({ chain, block }: { chain: ChainInfo; block: number }) {
  const found = useChainRequest('getBlock', { chain: String(chain.id), block: String(block) })
  const result = found.status === 'success' ? found.data.result : undefined
  return (
    <tr className="border-t border-line *:py-3">
      <th scope="row" className="text-start font-normal">
        <BlockLink chain={chain.id} block={block} />
      </th>
      {result ? (
        <>
          <td className="text-muted">
            <RelativeTime date={new Date(result.timestamp)} />
          </td>
          <td className="text-end">{formatNumber(result.transactionCount)}</td>
          <td className="text-end text-muted max-sm:hidden">
            {formatNumber(BigInt(result.gasUsed))} ({getPercent().format(partOf(result.gasUsed, result.gasLimit))})
          </td>
        </>
      ) : (
        <td colSpan={3} className="text-muted">
          {found.status === 'error' ? translateError(found.error) : <Skeleton className="h-4 w-48" />}
        </td>
      )}
    </tr>
  )
}

const partOf = (used: string, limit: string) => (Number(limit) > 0 ? Number(used) / Number(limit) : 0)
