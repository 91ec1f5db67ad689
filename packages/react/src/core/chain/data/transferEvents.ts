import type { Client } from '../../client/Client.ts'
import type { Query } from '../../documents/Query.ts'
import type { ClassName } from '../../values/Register.ts'
import type { SubscriptionHandlers } from '../../live/SubscribeInput.ts'
import type { Transfer, TransfersInput } from './ChainData.ts'
import type { PagesReading } from './chainReadings.ts'
import { findTarget } from './findTarget.ts'

/** Query for the transfer events of a list, once its chain and address are known. */
export function findTransferQuery(
  client: Client,
  input: TransfersInput,
  chain: number | undefined,
): Query<ClassName> | undefined {
  const { address } = findTarget(client, 'listTransfers', input)
  if (chain === undefined || address === undefined) return undefined
  const where = { chain, $or: [{ from: address }, { to: address }] }
  return { className: 'Transfer', where } as unknown as Query<ClassName>
}

/** Applies transfer events to the list that shows them. */
export function createTransferHandlers(
  reading: PagesReading<Transfer>,
  order: TransfersInput['order'],
): SubscriptionHandlers {
  const again = () => reading.invalidate()
  let isDue = false
  // One transaction may hold hundreds; they arrive one by one.
  const soon = () => {
    if (isDue) return
    isDue = true
    setTimeout(() => {
      isDue = false
      if (order === 'asc') reading.invalidate()
      else reading.loadNew()
    }, 50)
  }
  return {
    // Events between the first response and the subscription were not delivered.
    onOpen: again,
    onCreate: soon,
    // A block that the chain took back takes its transfers along.
    onDelete: again,
    onResync: again,
  }
}
