import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { bindingOf, createChallenge } from '../createChallenge.ts'
import type { Purpose } from '../Namespace.ts'
import { askedName, olderText } from './issueServerTime.ts'

export type MessageRequest = {
  address: string
  /** Of an EVM chain. */
  chain?: number | string | null
  /** Of Solana. */
  network?: string | null
  networkType?: 'evm' | 'solana'
  purpose?: Purpose | null
}

/** A whole message for an older client to sign as it is: `authenticate({ signingMessage: message })`. */
export async function requestMessage(
  context: Context,
  caller: Caller,
  input: MessageRequest,
): Promise<{ message: string }> {
  const { address, purpose, networkType = 'evm' } = input
  const { message } = await createChallenge(context, caller, {
    ...(networkType === 'solana'
      ? { namespace: 'solana', chainId: input.network ?? null }
      : { namespace: 'eip155', chainId: input.chain ?? null }),
    address,
    purpose: purpose ?? 'signIn',
  })
  if (message === undefined) throw new Error('a challenge for an address has its text')
  await noteAsked(context, caller)
  return { message }
}

/** The client asks for the time next, and would write it under the message. */
async function noteAsked({ db, clock, config }: Context, caller: Caller): Promise<void> {
  const binding = bindingOf(caller)
  const now = clock.now()
  await db.query({
    text: `insert into countersign.challenges (nonce, purpose, namespace, binding, domain, uri, statement, issued, expires)
           values ($1, 'signIn', $2, $3, '', '', '', $4, $5) on conflict (nonce) do update set expires = excluded.expires`,
    values: [
      askedName(binding),
      olderText,
      binding,
      now,
      new Date(now.getTime() + config.wallet.challengeLength * 1000),
    ],
  })
}
