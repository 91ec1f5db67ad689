import { useToken } from '@countersign/react'
import { ArrowDownLeft, ArrowLeftRight, ArrowUpRight } from 'lucide-react'
import { memo, type ReactNode } from 'react'
import { keyOfName } from '../../lib/chain/gatherHoldings.ts'
import type { ChainTransfer } from '../../lib/chain/mergeTransfers.ts'
import { cx } from '../../lib/cx.ts'
import { formatNumber } from '../../lib/formatNumber.ts'
import { say } from '../../lib/say.ts'
import { Badge } from '../Badge.tsx'
import { Phrase } from '../Phrase.tsx'
import { RelativeTime } from '../RelativeTime.tsx'
import { Skeleton } from '../Skeleton.tsx'
import { AddressLink } from './AddressLink.tsx'
import { Amount } from './Amount.tsx'
import { BlockLink } from './BlockLink.tsx'
import { HashLink } from './HashLink.tsx'

const nobody = `0x${'0'.repeat(40)}`

const ways = {
  in: { icon: ArrowDownLeft, look: 'bg-ok-soft text-ok', sign: '+' },
  out: { icon: ArrowUpRight, look: 'bg-sunken text-muted', sign: '−' },
  within: { icon: ArrowLeftRight, look: 'bg-accent-soft text-accent', sign: '' },
  between: { icon: ArrowLeftRight, look: 'bg-sunken text-muted', sign: '' },
} as const

type Way = keyof typeof ways

type Props = {
  transfer: ChainTransfer
  own: ReadonlySet<string>
  names?: ReadonlyMap<string, string> | undefined
  /** Another address of the list looks like it once it is shortened. */
  isFromTwin: boolean
  isToTwin: boolean
}

/** A transfer as those see it whose addresses are `own`; where none are, as anyone sees it. */
export const TransferRow = memo(function TransferRow({ transfer, own, names, isFromTwin, isToTwin }: Props) {
  const { chain, kind, token, tokenId, from, to, amount, block, transaction } = transfer
  const about = useToken({ token, chain })
  const known = about.status === 'success' ? about.data : undefined
  const way = findWay(from, to, own)
  const isNothing = amount === 0n
  const { icon: Icon, look, sign } = ways[isNothing ? 'between' : way]
  const bearer = known?.symbol && names?.get(keyOfName(chain, known.symbol))
  const isNamesake = bearer && bearer !== `${chain} ${token}`
  const isTwin = (isFromTwin && !own.has(from)) || (isToTwin && !own.has(to))
  const what =
    about.status === 'pending' ? (
      <span aria-busy="true">
        <Skeleton className="inline-block h-3.5 w-28 align-baseline" />
      </span>
    ) : kind === 'erc20' ? (
      <Amount amount={amount} decimals={known?.decimals} symbol={known?.symbol} sign={sign} />
    ) : (
      <bdi className="break-all">
        {kind === 'erc1155' && `${formatNumber(amount)} × `}
        <bdi>{known?.name || say('Collectible')}</bdi> #{shorten(tokenId ?? '')}
      </bdi>
    )
  return (
    <div className="flex items-start gap-3.5 py-3.5">
      <span className={cx('mt-0.5 grid size-9 shrink-0 place-items-center rounded-full', look)}>
        <Icon size={18} aria-hidden="true" className="rtl:-scale-x-100" />
      </span>
      <div className="min-w-0 flex-1 text-sm">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <p className="min-w-0 font-semibold">{describeWay(way, what)}</p>
          <p className="text-xs text-muted">
            <RelativeTime date={block.timestamp} />
          </p>
        </div>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-muted">
          {way !== 'out' && <span>{describeFrom(from, chain, isFromTwin)}</span>}
          {way !== 'in' && <span>{describeTo(to, chain, isToTwin)}</span>}
          {/* Its address and not its name, which anyone may give to a token. */}
          <span>
            <Phrase text="token {token}" values={{ token: <AddressLink chain={chain} address={token} /> }} />
          </span>
          <span>
            <Phrase text="in {transaction}" values={{ transaction: <HashLink chain={chain} hash={transaction} /> }} />
          </span>
          <span>
            <Phrase text="block {block}" values={{ block: <BlockLink chain={chain} block={block.number} /> }} />
          </span>
        </p>
        {isNothing && (
          <p className="mt-1 text-xs text-muted">
            {say('Nothing was moved. Anyone can write such a line into this list, so pay no address that it names.')}
          </p>
        )}
        {(isTwin || isNamesake) && (
          <p className="mt-1 flex flex-wrap gap-2">
            {isTwin && <Badge tone="warn">{say('Looks like another address')}</Badge>}
            {isNamesake && <Badge tone="warn">{say('Named like another token')}</Badge>}
          </p>
        )}
      </div>
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
  if (way === 'in') return <Phrase text="Received {what}" values={{ what }} />
  if (way === 'out') return <Phrase text="Sent {what}" values={{ what }} />
  return <Phrase text="Moved {what}" values={{ what }} />
}

function describeFrom(from: string, chain: number, whole: boolean): ReactNode {
  if (from === nobody) return say('from nobody: made new')
  return (
    <Phrase text="from {address}" values={{ address: <AddressLink chain={chain} address={from} whole={whole} /> }} />
  )
}

function describeTo(to: string, chain: number, whole: boolean): ReactNode {
  if (to === nobody) return say('to nobody: destroyed')
  return <Phrase text="to {address}" values={{ address: <AddressLink chain={chain} address={to} whole={whole} /> }} />
}

const shorten = (id: string) => (id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id)
