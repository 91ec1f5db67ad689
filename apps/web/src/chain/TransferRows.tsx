import { shortenAddress, useToken } from '@countersign/react/chain'
import { ArrowDownLeft, ArrowLeftRight, ArrowUpRight, ChevronRight } from 'lucide-react'
import { memo, type ReactNode, useMemo } from 'react'
import { Link } from 'react-router'
import { formatNumber } from '../i18n/format.ts'
import { Trans } from '../i18n/Trans.tsx'
import { t } from '../i18n/translate.ts'
import { Badge } from '../ui/Badge.tsx'
import { cx } from '../ui/cx.ts'
import { Facts } from '../ui/DetailRow.tsx'
import { Skeleton } from '../ui/feedback/Skeleton.tsx'
import { RelativeTime } from '../ui/RelativeTime.tsx'
import { VirtualRows } from '../ui/VirtualRows.tsx'
import { Amount } from './Amount.tsx'
import { AddressLink, explorerPath } from './ChainLinks.tsx'
import { keyOfName, keyOfToken } from './gatherHoldings.ts'
import { type ChainTransfer, keyTransfers } from './mergeTransfers.ts'

type Props = {
  rows: readonly ChainTransfer[]
  own: ReadonlySet<string>
  /** Token names by key (`gatherHoldings`). */
  names?: ReadonlyMap<string, string>
  onEnd?: (() => void) | undefined
}

export function TransferRows({ rows, own, names, onEnd }: Props) {
  const keys = useMemo(() => keyTransfers(rows), [rows])
  const twins = useMemo(() => findLookalikes(rows, own), [rows, own])
  return (
    <VirtualRows
      label={t('Transfers')}
      count={rows.length}
      estimate={68}
      keyOf={(index) => keys[index] ?? String(index)}
      onEnd={onEnd}
    >
      {(index) => {
        const transfer = rows[index]
        if (!transfer) return null
        const [isFromTwin, isToTwin] = [twins.has(transfer.from), twins.has(transfer.to)]
        return <TransferRow transfer={transfer} own={own} names={names} isFromTwin={isFromTwin} isToTwin={isToTwin} />
      }}
    </VirtualRows>
  )
}

const nobody = `0x${'0'.repeat(40)}`

const ways = {
  in: { icon: ArrowDownLeft, look: 'bg-ok-soft text-ok' },
  out: { icon: ArrowUpRight, look: 'bg-sunken text-muted' },
  within: { icon: ArrowLeftRight, look: 'bg-accent-soft text-accent' },
  between: { icon: ArrowLeftRight, look: 'bg-sunken text-muted' },
} as const

type Way = keyof typeof ways

type TransferRowProps = {
  transfer: ChainTransfer
  own: ReadonlySet<string>
  names?: ReadonlyMap<string, string> | undefined
  /** Another address of the list looks like it once it is shortened. */
  isFromTwin: boolean
  isToTwin: boolean
}

/** The transfer from the point of view of `own`; neutral if it is empty. */
const TransferRow = memo(function TransferRow({ transfer, own, names, isFromTwin, isToTwin }: TransferRowProps) {
  const { chain, kind, token, tokenId, from, to, amount, block, transaction } = transfer
  const about = useToken({ token, chain })
  const known = about.status === 'success' ? about.data : undefined
  const way = findWay(from, to, own)
  const isNothing = amount === 0n
  const { icon: Icon, look } = ways[isNothing ? 'between' : way]
  const bearer = known?.symbol && names?.get(keyOfName(chain, known.symbol))
  const isNamesake = bearer && bearer !== keyOfToken(chain, token)
  const isTwin = (isFromTwin && !own.has(from)) || (isToTwin && !own.has(to))
  const what =
    about.status === 'pending' ? (
      <span aria-busy="true">
        <Skeleton className="inline-block h-3.5 w-28 align-baseline" />
      </span>
    ) : kind === 'erc20' ? (
      <Amount amount={amount} decimals={known?.decimals} symbol={known?.symbol} />
    ) : (
      <bdi className="break-all">
        {kind === 'erc1155' && `${formatNumber(amount)} × `}
        <bdi>{known?.name || t('NFT')}</bdi> #{shorten(tokenId ?? '')}
      </bdi>
    )
  return (
    <div className="relative flex items-center gap-3.5 py-3.5">
      <span className={cx('grid size-9 shrink-0 place-items-center rounded-full', look)}>
        <Icon size={18} aria-hidden="true" className="rtl:-scale-x-100" />
      </span>
      <div className="min-w-0 flex-1 text-sm">
        <p className="font-semibold">
          {/* The whole row leads to the transaction; addresses in it lead to their own pages. */}
          <Link
            to={explorerPath(chain, 'tx', transaction)}
            className="rounded-sm after:absolute after:inset-0 hover:text-accent"
          >
            {describeWay(way, what)}
          </Link>
        </p>
        <p className="mt-0.5 text-xs text-muted [&_a]:relative [&_a]:z-10">
          <Facts
            items={[
              way !== 'out' && describeFrom(from, chain, isFromTwin),
              way !== 'in' && describeTo(to, chain, isToTwin),
              // Its address, since anyone may give a token the name of another.
              isNamesake && (
                <Trans text="token {token}" values={{ token: <AddressLink chain={chain} address={token} /> }} />
              ),
              <RelativeTime key="time" date={block.timestamp} />,
            ]}
          />
        </p>
        {isNothing && (
          <p className="mt-1 text-xs text-muted">
            {t('Nothing was transferred. This may be a scam, so don’t send funds to addresses shown here.')}
          </p>
        )}
        {(isTwin || isNamesake) && (
          <p className="mt-1 flex flex-wrap gap-2">
            {isTwin && <Badge tone="warn">{t('Lookalike address')}</Badge>}
            {isNamesake && <Badge tone="warn">{t('Same name as another token')}</Badge>}
          </p>
        )}
      </div>
      <ChevronRight size={17} aria-hidden="true" className="shrink-0 text-muted rtl:-scale-x-100" />
    </div>
  )
})

function findWay(from: string, to: string, own: ReadonlySet<string>): Way {
  if (own.size === 0) return 'between'
  if (own.has(to)) return own.has(from) ? 'within' : 'in'
  return 'out'
}

function describeWay(way: Way, what: ReactNode): ReactNode {
  if (way === 'between') return what
  if (way === 'in') return <Trans text="Received {what}" values={{ what }} />
  if (way === 'out') return <Trans text="Sent {what}" values={{ what }} />
  return <Trans text="Moved {what}" values={{ what }} />
}

function describeFrom(from: string, chain: number, whole: boolean): ReactNode {
  if (from === nobody) return t('Minted')
  return (
    <Trans text="from {address}" values={{ address: <AddressLink chain={chain} address={from} whole={whole} /> }} />
  )
}

function describeTo(to: string, chain: number, whole: boolean): ReactNode {
  if (to === nobody) return t('Burned')
  return <Trans text="to {address}" values={{ address: <AddressLink chain={chain} address={to} whole={whole} /> }} />
}

const shorten = (id: string) => (id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id)

/**
 * Addresses that look alike when shortened. A scammer creates one that resembles a former recipient, and puts it into
 * the list by a transfer of zero.
 */
export function findLookalikes(transfers: readonly ChainTransfer[], own: ReadonlySet<string>): ReadonlySet<string> {
  const seen = new Set(own)
  for (const { from, to } of transfers) seen.add(from).add(to)
  const first = new Map<string, string>()
  const twins = new Set<string>()
  for (const address of seen) {
    // A checksum writes the same ends in different letters.
    const short = shortenAddress(address.toLowerCase())
    const other = first.get(short)
    if (other === undefined) first.set(short, address)
    else twins.add(other).add(address)
  }
  return twins
}
