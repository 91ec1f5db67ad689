import { useRef } from 'react'
import type { Transfer } from '../core/chainData/ChainData.ts'
import type { TransfersInput } from '../core/chainData/ChainInput.ts'
import { findTarget } from '../core/chainData/findTarget.ts'
import type { Query } from '../core/documents/QueryOptions.ts'
import type { ClassName } from '../core/documents/Register.ts'
import { useClient } from './useClient.ts'
import type { ReadOptions } from './useDocumentReading.ts'
import { type UseOnChainPages, useOnChainPages } from './useOnChainPages.ts'
import { useSubscription } from './useSubscription.ts'

/**
 * The transfers of tokens and collectibles from and to an address, the newest first: the wallet's, unless one is given.
 * With `live` they are read again as soon as the server sees another.
 *
 * @example
 * const received = useTransfers({ direction: 'to', kind: 'erc20', live: true })
 * if (received.status === 'success') return received.data.map(({ transaction, amount }) => <p key={transaction}>{String(amount)}</p>)
 */
export function useTransfers({
  live = false,
  ...input
}: TransfersInput & ReadOptions & { readonly live?: boolean } = {}): UseOnChainPages<Transfer> {
  const client = useClient()
  const { reading, ...pages } = useOnChainPages<Transfer>('listTransfers', input)
  const { address } = findTarget(client, 'listTransfers', input)
  const chain = pages.at?.chain
  const where = { chain, $or: [{ from: address }, { to: address }] }
  const again = () => reading.invalidate()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  // One transaction may hold hundreds; they are told one by one.
  const soon = () => {
    timer.current ??= setTimeout(() => {
      timer.current = undefined
      if (input.order === 'asc') reading.invalidate()
      else reading.loadNew()
    }, 50)
  }
  useSubscription({
    query: { className: 'Transfer', where } as unknown as Query<ClassName>,
    enabled: live && chain !== undefined && address !== undefined,
    // What came between the first answer and the subscription was told to nobody.
    onOpen: again,
    onCreate: soon,
    // A block that the chain took back takes its transfers along.
    onDelete: again,
    onResync: again,
  })
  return pages
}
