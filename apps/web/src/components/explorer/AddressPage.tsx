import { type ChainInfo, errorCodes, shortenAddress, useToken } from '@countersign/react'
import { useSearchParams } from 'react-router'
import { useChainRequest } from '../../lib/chain/useChainRequest.ts'
import { formatNumber } from '../../lib/formatNumber.ts'
import { say } from '../../lib/say.ts'
import { Badge } from '../Badge.tsx'
import { Card } from '../Card.tsx'
import { Amount } from '../chain/Amount.tsx'
import { SourceNote } from '../chain/SourceNote.tsx'
import { Tabs } from '../chain/Tabs.tsx'
import { PageHeader } from '../PageHeader.tsx'
import { AddressTokens } from './AddressTokens.tsx'
import { AddressTransactions } from './AddressTransactions.tsx'
import { AddressTransfers } from './AddressTransfers.tsx'
import { CopyableText } from './CopyableText.tsx'
import { Fact } from './Fact.tsx'
import { Facts } from './Facts.tsx'
import { PageState } from './PageState.tsx'
import { TokenTransfers } from './TokenTransfers.tsx'

const listViews = () =>
  [
    { name: 'transfers', label: say('Transfers') },
    { name: 'transactions', label: say('Transactions') },
    { name: 'tokens', label: say('Tokens') },
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
        <PageHeader title={say('Address {address}', { address: shortenAddress(address) })} />
        <PageState
          state={found}
          waiting={say('Loading the address…')}
          failed={say('The address could not be loaded')}
          missing={say('This is no address of a chain.')}
          onRetry={found.refetch}
        />
      </>
    )
  const { block, source, result } = found.data
  const about = token.status === 'success' ? token.data : undefined
  const pieces = collection.status === 'success' ? collection.data.result : undefined
  const { symbol, decimals } = chain.nativeCurrency
  const title =
    result.name || about?.name || pieces?.name || say('Address {address}', { address: shortenAddress(address) })
  return (
    <>
      <PageHeader title={title} />
      <div className="flex flex-col gap-6">
        <Card>
          <Facts>
            <Fact name={say('Address')}>
              <CopyableText text={address} label={say('Copy the address')} />
            </Fact>
            <Fact name={say('Kind')}>
              <Badge tone={result.isContract ? 'accent' : 'neutral'}>
                {result.isContract ? say('Contract') : say('Key pair')}
              </Badge>
            </Fact>
            {result.name && (
              <Fact name={say('Name')}>
                <bdi>{result.name}</bdi>
              </Fact>
            )}
            {about?.symbol && (
              <Fact name={say('Token')}>
                {about.decimals === undefined
                  ? about.symbol
                  : say('{name} ({symbol}), {count, plural, one {# decimal} other {# decimals}}', {
                      name: about.name || about.symbol,
                      symbol: about.symbol,
                      count: about.decimals,
                    })}
              </Fact>
            )}
            <Fact name={say('Balance')}>
              <Amount amount={BigInt(result.balance)} decimals={decimals} symbol={symbol} />
            </Fact>
            <Fact name={say('Transactions sent')}>{formatNumber(result.nonce)}</Fact>
          </Facts>
          <div className="mt-3">
            <SourceNote chain={chain.id} chainName={chain.name} block={block} source={source} />
          </div>
        </Card>
        <Card>
          <Tabs label={say('Parts of the address')} tabs={views} current={view} />
          {view === 'transfers' &&
            (about || pieces?.kind ? (
              <TokenTransfers chain={chain} token={address} isFungible={about?.decimals !== undefined} />
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
