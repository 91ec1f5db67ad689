'use client'

import {
  type FollowedTransaction,
  type FollowTransactionInput,
  followTransaction,
} from '../../core/chain/followTransaction.ts'
import type { Query } from '../../core/documents/Query.ts'
import { defineAccountReading } from '../../core/readings/defineReading.ts'
import type { ClassName } from '../../core/values/Register.ts'
import { useClient } from '../client/useClient.ts'
import { type ReadOptions, type UseAsync, useReading } from '../client/useReading.ts'
import { useSubscription } from '../documents/useLiveDocuments.ts'

const reading = /*#__PURE__*/ defineAccountReading(
  'followTransaction',
  (client, input: FollowTransactionInput, options) => followTransaction(client, input, options),
)

const nothing: FollowTransactionInput = { chain: 0 as never, hash: '' }

export type UseFollowTransaction<Selected = FollowedTransaction> = UseAsync<Selected>

/**
 * Follows a transaction of the signed-in user on the server, and shows its state live until it is final, replaced or
 * dropped. Does nothing without an input; without a user, the error says so.
 *
 * @example
 * const { sendTransaction, data } = useSendTransaction()
 * const sent = useFollowTransaction(data && { chain: 1, hash: data.hash, data: { order: 'o-17' } })
 * <button onClick={() => sendTransaction({ to, value: 10n ** 16n, chainId: 1 })}>{sent.data?.status ?? 'Pay'}</button>
 */
export function useFollowTransaction<Selected = FollowedTransaction>(
  input: FollowTransactionInput | undefined,
  {
    className = 'SentTransaction',
    ...options
  }: ReadOptions<FollowedTransaction, Selected> & {
    /** The server's class of followed transactions, where its setting `indexer.sentClass` names another. */
    readonly className?: string
  } = {},
): UseFollowTransaction<Selected> {
  const client = useClient()
  const own = reading(client, input ?? nothing)
  const enabled = input !== undefined && options.enabled !== false
  const state = useReading(own, { ...options, enabled })
  const known = own.peek.get().data
  const again = () => own.invalidate()
  useSubscription({
    query: { className, where: { hash: known?.hash ?? '' } } as unknown as Query<ClassName>,
    enabled: enabled && known !== undefined && !known.confirmed,
    // Changes between the response and the subscription were not delivered.
    onOpen: again,
    onUpdate: again,
    onResync: again,
  })
  return state
}
