import { useMemo } from 'react'
import { listTwins } from '../../lib/chain/listTwins.ts'
import { type ChainTransfer, keyTransfers } from '../../lib/chain/mergeTransfers.ts'
import { say } from '../../lib/say.ts'
import { TransferRow } from './TransferRow.tsx'
import { VirtualRows } from './VirtualRows.tsx'

type Props = {
  rows: readonly ChainTransfer[]
  own: ReadonlySet<string>
  /** What is called how, as far as that is known (`gatherHoldings`). */
  names?: ReadonlyMap<string, string>
  onEnd?: (() => void) | undefined
}

export function TransferRows({ rows, own, names, onEnd }: Props) {
  const keys = useMemo(() => keyTransfers(rows), [rows])
  const twins = useMemo(() => listTwins(rows, own), [rows, own])
  return (
    <VirtualRows
      label={say('Transfers')}
      count={rows.length}
      estimate={92}
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
