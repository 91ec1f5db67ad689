import type { WireFields } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { requireString, requireUser } from '../client/guards.ts'
import { type ActionOptions, runAction } from '../client/runAction.ts'
import { request } from '../session/request.ts'
import { toSnapshot } from '../values/decode.ts'
import type { FieldValue } from '../values/FieldValue.ts'
import type { ChainRef } from './data/ChainData.ts'

export type FollowTransactionInput = {
  /** The chain that it was sent on: the server must have a node of it. */
  readonly chain: ChainRef
  readonly hash: string
  /** Fields of the application that are kept with it, such as the order that it pays; 4,096 characters of JSON at most. */
  readonly data?: WireFields | undefined
}

/** State of a transaction; the server stores it as a document of the user. */
export type FollowedTransaction = {
  readonly objectId: string
  readonly createdAt: Date
  readonly updatedAt: Date
  readonly chain: number
  readonly hash: string
  readonly status: 'pending' | 'mined' | 'final' | 'reverted' | 'replaced' | 'dropped'
  /** Nothing more becomes of it. */
  readonly confirmed: boolean
  /** True if a wallet of the user sent it; absent until a node has it. */
  readonly isOwn?: boolean
  readonly from?: string
  readonly to?: string
  readonly value?: bigint
  readonly nonce?: number
  /** From here on: while it is in a block. */
  readonly block?: number
  readonly blockHash?: string
  readonly gasUsed?: bigint
  readonly fee?: bigint
  /** The contract that it made. */
  readonly contract?: string
  readonly data?: { readonly [name: string]: FieldValue }
}

/**
 * Has the server follow a transaction of the signed-in user until it is final, replaced or dropped, also while no page
 * is open. A repeat returns its current state.
 *
 * @example
 * const { hash } = await sendTransaction(client, { to, value: 10n ** 16n, chainId: 1 })
 * const sent = await followTransaction(client, { chain: 1, hash, data: { order: 'o-17' } })
 * console.log(sent.status) // 'pending'
 */
export function followTransaction(
  client: Client,
  { chain, hash, data }: FollowTransactionInput,
  { signal }: ActionOptions = {},
): Promise<FollowedTransaction> {
  return runAction(client, async () => {
    requireUser(client, 'following a transaction')
    requireString('hash', hash)
    const input = { chain: String(chain), hash, ...(data && { data }) }
    return readFollowed(await request(client, 'followTransaction', input, { ...(signal && { signal }) }))
  })
}

const amounts = ['value', 'gasUsed', 'fee'] as const

function readFollowed({ ACL: _, user: __, ...fields }: WireFields): FollowedTransaction {
  const snapshot = toSnapshot<{ readonly [name: string]: unknown }>(fields)
  const read = amounts.flatMap((name) => {
    const amount = snapshot[name]
    return typeof amount === 'string' ? [[name, BigInt(amount)] as const] : []
  })
  return Object.freeze({ ...snapshot, ...Object.fromEntries(read) }) as FollowedTransaction
}
