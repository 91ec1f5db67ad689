import { useEffect, useId, useRef, useState } from 'react'
import { Amount } from '../../chain/Amount.tsx'
import { AddressLink } from '../../chain/ChainLinks.tsx'
import { checksumAddress } from '../../chain/checksumAddress.ts'
import { formatUsd } from '../../chain/usd.ts'
import { formatNumber } from '../../i18n/format.ts'
import { Trans } from '../../i18n/Trans.tsx'
import { t } from '../../i18n/translate.ts'
import { Button } from '../../ui/Button.tsx'
import { Card } from '../../ui/Card.tsx'
import { cx } from '../../ui/cx.ts'
import { Detail, DetailList } from '../../ui/DetailRow.tsx'
import { Alert } from '../../ui/feedback/Alert.tsx'
import type { Prepared } from './prepareTransfer.ts'
import type { SendAsset } from './SendAsset.ts'

type Props = {
  prepared: Prepared
  /** The chain's own currency; `usd` is the price of one whole unit, if it is known. */
  native: { symbol: string; decimals: number; usd?: bigint | undefined }
  problem: { message: string; isCalm: boolean } | undefined
  isSending: boolean
  onBack: () => void
  onSend: () => void
}

/** Review of the transfer before the wallet prompt. */
export function SendReview({ prepared, native, problem, isSending, onBack, onSend }: Props) {
  const { asset, amount, from, to, toName, standing, isContract, fee } = prepared
  const [isCompared, setCompared] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const compareId = useId()
  useEffect(() => heading.current?.focus(), [])
  const isBlocked = standing.status === 'lookalike' && !isCompared
  return (
    <Card aria-labelledby="send-review">
      <h2 id="send-review" ref={heading} tabIndex={-1} className="text-lg outline-none">
        {t('Check this transfer')}
      </h2>
      <div className="mt-4 flex flex-col gap-4">
        <div>
          <p className="text-sm text-muted">{t('You send')}</p>
          <p className="mt-0.5 text-2xl font-semibold wrap-anywhere">
            <AssetAmount asset={asset} amount={amount} exact />
          </p>
          {asset.usd !== undefined && asset.balance > 0n && (
            <p className="text-sm text-muted tabular-nums">{formatUsd((asset.usd * amount) / asset.balance)}</p>
          )}
        </div>
        <div>
          <p className="text-sm text-muted">{t('To')}</p>
          {toName && (
            <p className="mt-0.5 font-semibold wrap-anywhere">
              <bdi>{toName}</bdi>
            </p>
          )}
          <WholeAddress address={to} differsFrom={standing.status === 'lookalike' ? standing.of : undefined} />
          {standing.status === 'known' && (
            <p className="mt-1 text-sm text-ok">{t('You’ve sent to this address before, or it’s yours.')}</p>
          )}
          {standing.status === 'new' && (
            <p className="mt-1 text-sm text-muted">{t('First transfer to this address')}</p>
          )}
          {isContract && (
            <p className="mt-1 text-sm text-warn">
              {t('This address is a contract. Make sure that it accepts what you send.')}
            </p>
          )}
        </div>
        {standing.status === 'lookalike' && (
          <Alert tone="danger" title={t('This address looks like one you know, but it’s a different one')}>
            <p className="mt-1">
              {t('Scammers create addresses with the same first and last characters. The one you know is:')}
            </p>
            <WholeAddress address={checksumAddress(standing.of)} differsFrom={to} />
            <label htmlFor={compareId} className="mt-2 flex min-h-11 items-center gap-2.5 font-semibold">
              <input
                id={compareId}
                type="checkbox"
                checked={isCompared}
                onChange={(event) => setCompared(event.target.checked)}
                className="size-4"
              />
              {t('I’ve checked the whole address with its owner')}
            </label>
          </Alert>
        )}
        <div className="border-t border-line pt-4">
          <DetailList>
            <Detail name={t('From')}>
              <bdi className="font-mono text-xs break-all">{from}</bdi>
            </Detail>
            <Detail name={t('Chain')}>{asset.chainName}</Detail>
            {asset.token && (
              <Detail name={t('Contract')}>
                <AddressLink chain={asset.chain} address={asset.token} />
              </Detail>
            )}
            <Detail name={t('Network fee')}>
              {fee === undefined ? (
                t('Your wallet shows the fee.')
              ) : (
                <Trans text="About {fee}" values={{ fee: <PricedAmount amount={fee} native={native} /> }} />
              )}
            </Detail>
            {fee !== undefined && asset.kind === 'native' && (
              <Detail name={t('Total')}>
                <PricedAmount amount={fee + amount} native={native} />
              </Detail>
            )}
          </DetailList>
        </div>
        {problem && <Alert tone={problem.isCalm ? 'info' : 'danger'} title={problem.message} />}
        {isSending && (
          <Alert title={t('Confirm in your wallet')}>{t('Check that it shows the same recipient and amount.')}</Alert>
        )}
        <div className="flex flex-wrap gap-2 max-sm:flex-col-reverse">
          <Button look="secondary" disabled={isSending} onClick={onBack}>
            {t('Back')}
          </Button>
          <Button pending={isSending} disabled={isBlocked} onClick={onSend}>
            {t('Send now')}
          </Button>
        </div>
      </div>
    </Card>
  )
}

/** An amount of the chain's own currency, with its value in dollars if the price is known. */
function PricedAmount({ amount, native }: { amount: bigint; native: Props['native'] }) {
  const { symbol, decimals, usd } = native
  return (
    <>
      <Amount amount={amount} decimals={decimals} symbol={symbol} />
      {usd !== undefined && (
        <bdi className="text-muted tabular-nums"> ({formatUsd((usd * amount) / 10n ** BigInt(decimals))})</bdi>
      )}
    </>
  )
}

type AssetAmountProps = {
  asset: Pick<SendAsset, 'kind' | 'decimals' | 'symbol' | 'name'>
  amount: bigint
  exact?: boolean
}

/** How much of what. */
function AssetAmount({ asset, amount, exact = false }: AssetAmountProps) {
  const { kind, decimals, symbol, name } = asset
  if (kind === 'native' || kind === 'erc20')
    return <Amount amount={amount} decimals={decimals} symbol={symbol ?? name} exact={exact} />
  return (
    <bdi>
      {kind === 'erc1155' && `${formatNumber(amount)} × `}
      {name}
    </bdi>
  )
}

/** All of an address in groups of four, so that it can be compared; what differs from another one is marked. */
function WholeAddress({ address, differsFrom }: { address: string; differsFrom?: string | undefined }) {
  const groups = ['0x', ...(address.slice(2).match(/.{4}/g) ?? [])]
  const others = differsFrom && ['0x', ...(differsFrom.slice(2).match(/.{4}/g) ?? [])]
  return (
    <p className="mt-1">
      <span className="sr-only">{address}</span>
      <span dir="ltr" aria-hidden="true" className="inline-flex max-w-md flex-wrap gap-x-1.5 font-mono text-sm">
        {groups.map((group, place) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the groups of one address, in their order
            key={place}
            className={cx(
              others && others[place]?.toLowerCase() !== group.toLowerCase() && 'bg-warn-soft font-bold text-warn',
            )}
          >
            {group}
          </span>
        ))}
      </span>
    </p>
  )
}
