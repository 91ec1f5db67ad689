import { formatUsd } from '../../lib/chain/usd.ts'
import type { ValuePoint } from '../../lib/chain/ValuePoint.ts'
import { formatTime } from '../../lib/formatTime.ts'
import { say } from '../../lib/say.ts'
import { BlockLink } from '../chain/BlockLink.tsx'

const most = 40

/** The figures of a chart, the newest first. */
export function ValueTable({ points }: { points: readonly ValuePoint[] }) {
  const every = Math.ceil(points.length / most)
  const rows = points.toReversed().filter((_point, place) => place % every === 0)
  const hasBlocks = rows.some(({ blocks }) => blocks)
  return (
    <details className="mt-1 text-sm">
      <summary className="inline-flex min-h-11 items-center font-semibold text-accent">
        {say('Show as a table')}
      </summary>
      <table className="w-full max-w-lg text-start tabular-nums">
        <thead>
          <tr className="text-xs text-muted">
            <th className="py-1 text-start font-semibold">{say('Time')}</th>
            {hasBlocks && <th className="py-1 text-start font-semibold">{say('Block')}</th>}
            <th className="py-1 text-end font-semibold">{say('Value')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ time, value, blocks }) => (
            <tr key={time} className="border-t border-line">
              <td className="py-1">{formatTime(new Date(time))}</td>
              {hasBlocks && (
                <td className="py-1">
                  {blocks?.map(({ chain, block }) => (
                    <span key={chain} className="me-2">
                      <BlockLink chain={chain} block={block} />
                    </span>
                  ))}
                </td>
              )}
              <td className="py-1 text-end wrap-anywhere">{formatUsd(value)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  )
}
