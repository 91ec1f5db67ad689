import { Combobox } from '@base-ui/react/combobox'
import { shortenAddress } from '@countersign/react/chain'
import { Check, ChevronDown } from 'lucide-react'
import { useId, useRef } from 'react'
import { formatAmount } from '../../chain/Amount.tsx'
import { AssetIcon } from '../../chain/AssetIcon.tsx'
import { checksumAddress } from '../../chain/checksumAddress.ts'
import { formatUsd } from '../../chain/usd.ts'
import { t } from '../../i18n/translate.ts'
import { FieldFrame, inputClass } from '../../ui/forms/Field.tsx'
import { describeAsset, nameAsset, type SendAsset } from './SendAsset.ts'

type Props = { assets: readonly SendAsset[]; asset: SendAsset; onAsset: (key: string) => void }

/** The asset to send, found by name, symbol, chain, contract or id. */
export function AssetPicker({ assets, asset, onAsset }: Props) {
  const id = useId()
  const place = useRef<HTMLDivElement>(null)
  return (
    <div ref={place}>
      <Combobox.Root
        items={assets}
        value={asset}
        onValueChange={(next: SendAsset | null) => next && onAsset(next.key)}
        itemToStringLabel={describeAsset}
        isItemEqualToValue={(one, other) => one.key === other.key}
        filter={matches}
        autoHighlight
      >
        <FieldFrame id={id} label={t('Asset')}>
          <Combobox.Trigger id={id} className={`${inputClass} flex items-center gap-3 text-start`}>
            <AssetRow asset={asset} />
            <ChevronDown size={18} aria-hidden="true" className="shrink-0 text-muted" />
          </Combobox.Trigger>
        </FieldFrame>
        <Combobox.Portal container={place}>
          {/* Fixed: before it has found its place it would make the page of a phone wider. */}
          <Combobox.Positioner positionMethod="fixed" sideOffset={6} className="z-40 outline-none">
            <Combobox.Popup
              aria-label={t('Asset')}
              className="flex max-h-[min(26rem,var(--available-height))] w-(--anchor-width) animate-appear flex-col rounded-card border border-line bg-surface shadow-float outline-none"
            >
              <div className="border-b border-line p-2">
                <Combobox.Input
                  aria-label={t('Search assets')}
                  placeholder={t('Name, symbol, contract or id')}
                  className={inputClass}
                />
              </div>
              <Combobox.Empty className="px-4 text-sm text-muted [&:not(:empty)]:py-4">
                {t('No asset found.')}
              </Combobox.Empty>
              <Combobox.List
                aria-label={t('Assets')}
                className="min-h-0 flex-1 overflow-y-auto overscroll-contain p-1.5 empty:hidden"
              >
                {(each: SendAsset) => (
                  <Combobox.Item
                    key={each.key}
                    value={each}
                    className="flex min-h-11 cursor-pointer items-center gap-3 rounded-control px-3 py-2 outline-none select-none data-highlighted:bg-sunken"
                  >
                    <AssetRow asset={each} isWhole />
                    <Combobox.ItemIndicator>
                      <Check size={18} aria-hidden="true" className="text-accent" />
                    </Combobox.ItemIndicator>
                  </Combobox.Item>
                )}
              </Combobox.List>
            </Combobox.Popup>
          </Combobox.Positioner>
        </Combobox.Portal>
      </Combobox.Root>
    </div>
  )
}

/** Icon, name, chain and balance; with its contract or id where there are several to tell apart. */
function AssetRow({ asset, isWhole = false }: { asset: SendAsset; isWhole?: boolean }) {
  const { symbol, name, kind, token, tokenId, balance, decimals, usd, chainName } = asset
  const ids = [token && shortenAddress(checksumAddress(token)), tokenId !== undefined && `#${shorten(tokenId)}`]
  return (
    <>
      <AssetIcon symbol={symbol ?? name} />
      <span className="min-w-0 flex-1">
        <span className="line-clamp-1 text-sm font-semibold wrap-anywhere">{nameAsset(asset)}</span>
        <span className="block text-xs/5 text-muted wrap-anywhere">
          {chainName}
          {isWhole &&
            ids.map(
              (each) =>
                each && (
                  <span key={each}>
                    {' · '}
                    <bdi className="font-mono">{each}</bdi>
                  </span>
                ),
            )}
        </span>
      </span>
      <span className="max-w-1/2 shrink-0 text-end text-sm tabular-nums">
        {kind !== 'erc721' && <bdi className="block wrap-anywhere">{formatAmount(balance, decimals ?? 0).short}</bdi>}
        {usd !== undefined && <span className="block text-xs/5 text-muted">{formatUsd(usd)}</span>}
      </span>
    </>
  )
}

const shorten = (id: string) => (id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id)

function matches({ name, symbol = '', chainName, token = '', tokenId = '' }: SendAsset, query: string): boolean {
  const text = `${name} ${symbol} ${chainName} ${token} #${tokenId}`.toLowerCase()
  return query
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
