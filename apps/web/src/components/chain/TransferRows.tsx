import { type ChainTransfer, keyOfTransfer } from '../../lib/chain/mergeTransfers.ts'
import { say } from '../../lib/say.ts'
import { TransferRow } from './TransferRow.tsx'
import { VirtualRows } from './VirtualRows.tsx'

type Props = {
  rows: readonly ChainTransfer[]
  own: ReadonlySet<string>
  onEnd?: (() => void) | undefined
}

export function TransferRows({ rows, own, onEnd }: Props) {
  return (
    <VirtualRows
      label={say('Transfers')}
      count={rows.length}
      estimate={92}
      keyOf={(index) => (rows[index] ? keyOfTransfer(rows[index]) : String(index))}
      onEnd={onEnd}
    >
      {(index) => rows[index] && <TransferRow transfer={rows[index]} own={own} />}
    </VirtualRows>
  )
}
