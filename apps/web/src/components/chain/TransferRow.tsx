import { useToken } from '@countersign/react'
import { ArrowDownLeft, ArrowLeftRight, ArrowUpRight } from 'lucide-react'
import type { ChainTransfer } from '../../lib/chain/mergeTransfers.ts'
import { cx } from '../../lib/cx.ts'
import { RelativeTime } from '../RelativeTime.tsx'
import { AddressLink } from './AddressLink.tsx'
import { Amount } from './Amount.tsx'
import { BlockLink } from './BlockLink.tsx'
import { HashLink } from './HashLink.tsx'

const nobody = `0x${'0'.repeat(40)}`

const ways = {
  in: { icon: ArrowDownLeft, word: 'Received', look: 'bg-ok-soft text-ok', sign: '+' },
  out: { icon: ArrowUpRight, word: 'Sent', look: 'bg-sunken text-muted', sign: '−' },
  within: { icon: ArrowLeftRight, word: 'Moved', look: 'bg-accent-soft text-accent', sign: '' },
} as const

/** A transfer as those see it whose addresses are `own`. */
export function TransferRow({ transfer, own }: { transfer: ChainTransfer; own: ReadonlySet<string> }) {
  const { chain, kind, token, tokenId, from, to, amount, block, transaction } = transfer
  const about = useToken({ token, chain })
  const known = about.status === 'success' ? about.data : undefined
  const way = own.has(to) ? (own.has(from) ? 'within' : 'in') : 'out'
  const { icon: Icon, word, look, sign } = ways[way]
  const counterpart = way === 'in' ? from : to
  return (
    <div className="flex items-start gap-3.5 py-3.5">
      <span className={cx('mt-0.5 grid size-9 shrink-0 place-items-center rounded-full', look)}>
        <Icon size={18} aria-hidden="true" className="rtl:-scale-x-100" />
      </span>
      <div className="min-w-0 flex-1 text-sm">
        <div className="flex flex-wrap items-baseline justify-between gap-x-4">
          <p className="min-w-0 font-semibold">
            {word}{' '}
            {kind === 'erc20' ? (
              <Amount amount={amount} decimals={known?.decimals} symbol={known?.symbol} sign={sign} />
            ) : (
              <bdi className="break-all">
                {kind === 'erc1155' && `${amount} × `}
                {known?.name ?? 'Collectible'} #{shorten(tokenId ?? '')}
              </bdi>
            )}
          </p>
          <p className="text-xs text-muted">
            <RelativeTime date={block.timestamp} />
          </p>
        </div>
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-xs text-muted">
          <span>
            {way === 'in' ? 'from' : 'to'}{' '}
            {counterpart === nobody ? (
              way === 'in' ? (
                'nobody: made new'
              ) : (
                'nobody: destroyed'
              )
            ) : (
              <AddressLink chain={chain} address={counterpart} />
            )}
          </span>
          <span>
            token <AddressLink chain={chain} address={token} label={known?.symbol} />
          </span>
          <span>
            in <HashLink chain={chain} hash={transaction} />
          </span>
          <span>
            block <BlockLink chain={chain} block={block.number} />
          </span>
        </p>
      </div>
    </div>
  )
}

const shorten = (id: string) => (id.length > 14 ? `${id.slice(0, 6)}…${id.slice(-4)}` : id)
