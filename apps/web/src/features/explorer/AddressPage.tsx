import { errorCodes } from '@countersign/react'
import { type ChainInfo, shortenAddress, useEnsAddress, useToken } from '@countersign/react/chain'
import { SearchX } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { Amount } from '../../chain/Amount.tsx'
import { SourceNote } from '../../chain/ChainStates.tsx'
import { checksumAddress } from '../../chain/checksumAddress.ts'
import { useChainRequest } from '../../chain/useChainRequest.ts'
import { formatNumber } from '../../i18n/format.ts'
import { t } from '../../i18n/translate.ts'
import { Badge } from '../../ui/Badge.tsx'
import { Card } from '../../ui/Card.tsx'
import { EmptyState } from '../../ui/feedback/EmptyState.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { AddressTokens, AddressTransactions, AddressTransfers, TokenTransfers } from './AddressLists.tsx'
import { ExplorerHeader } from './ExplorerHeader.tsx'
import { CopyableText, Fact, Facts, PageState } from './Facts.tsx'

const listViews = () =>
  [
    { name: 'transfers', label: t('Transfers') },
    { name: 'transactions', label: t('Transactions') },
    { name: 'tokens', label: t('Tokens') },
  ] as const

export function AddressPage({ chain, address }: { chain: ChainInfo; address: string }) {
  const found = useChainRequest('getAddress', { chain: String(chain.id), address })
  const isContract = found.status === 'success' && found.data.result.isContract
  const token = useToken({ token: isContract ? address : (undefined as unknown as string), chain: chain.id })
  // Collectibles need neither symbol nor decimals.
  const isNoToken = isContract && token.status === 'error' && token.error.code === errorCodes.ObjectNotFound
  const collection = useChainRequest('getCollection', { chain: String(chain.id), token: address }, isNoToken)
  const [parameters] = useSearchParams()
  const views = listViews()
  const view = views.find(({ name }) => name === parameters.get('show'))?.name ?? 'transfers'
  if (found.status !== 'success')
    return (
      <>
        <ExplorerHeader title={t('Address {address}', { address: shortenAddress(checksumAddress(address)) })} />
        <PageState
          state={found}
          waiting={t('Loading address…')}
          failed={t('The address could not be loaded')}
          missing={t('This isn’t a valid address.')}
          onRetry={found.refetch}
        />
      </>
    )
  const { block, source, result } = found.data
  const about = token.status === 'success' ? token.data : undefined
  const pieces = collection.status === 'success' ? collection.data.result : undefined
  const { symbol, decimals } = chain.nativeCurrency
  const title =
    result.name ||
    about?.name ||
    pieces?.name ||
    t('Address {address}', { address: shortenAddress(checksumAddress(address)) })
  return (
    <>
      <ExplorerHeader title={title} />
      <div className="flex flex-col gap-6">
        <Card>
          <Facts>
            <Fact name={t('Address')}>
              <CopyableText text={checksumAddress(address)} label={t('Copy address')} />
            </Fact>
            <Fact name={t('Type')}>
              <Badge tone={result.isContract ? 'accent' : 'neutral'}>
                {result.isContract ? t('Contract') : t('Standard account')}
              </Badge>
            </Fact>
            {result.name && (
              <Fact name={t('Name')}>
                <bdi>{result.name}</bdi>
              </Fact>
            )}
            {about?.symbol && (
              <Fact name={t('Token')}>
                {about.decimals === undefined
                  ? about.symbol
                  : t('{name} ({symbol}), {count, plural, one {# decimal} other {# decimals}}', {
                      name: about.name || about.symbol,
                      symbol: about.symbol,
                      count: about.decimals,
                    })}
              </Fact>
            )}
            <Fact name={t('Balance')}>
              <Amount amount={BigInt(result.balance)} decimals={decimals} symbol={symbol} exact />
            </Fact>
            <Fact name={t('Transactions sent')}>{formatNumber(result.nonce)}</Fact>
          </Facts>
          <div className="mt-3">
            <SourceNote chain={chain.id} chainName={chain.name} block={block} source={source} />
          </div>
        </Card>
        <Card>
          <Tabs label={t('Address sections')} tabs={views} current={view} />
          {view === 'transfers' &&
            (about || pieces?.kind ? (
              <TokenTransfers
                key={String(about?.decimals !== undefined)}
                chain={chain}
                token={address}
                isFungible={about?.decimals !== undefined}
              />
            ) : (
              <AddressTransfers chain={chain} address={address} />
            ))}
          {view === 'transactions' && <AddressTransactions chain={chain} address={address} />}
          {view === 'tokens' && <AddressTokens chain={chain} address={address} />}
        </Card>
      </div>
    </>
  )
}

export function NamePage({ chain, name }: { chain: ChainInfo; name: string }) {
  const found = useEnsAddress({ name, chain: chain.id })
  if (found.status === 'success' && found.data) return <AddressPage chain={chain} address={found.data.address} />
  const missing = t('{name} doesn’t resolve on {chain}.', { name, chain: chain.name })
  return (
    <>
      <ExplorerHeader title={name} />
      {found.status === 'success' ? (
        <Card>
          <EmptyState icon={SearchX} title={t('Not found')}>
            {missing}
          </EmptyState>
        </Card>
      ) : (
        <PageState
          state={found}
          waiting={t('Loading name…')}
          failed={t('The name could not be loaded')}
          missing={missing}
          onRetry={() => void found.refetch()}
        />
      )}
    </>
  )
}
