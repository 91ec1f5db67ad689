import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { bindingOf, createChallenge } from '../createChallenge.ts'
import { askedName, olderText } from './issueServerTime.ts'

export type MessageRequest = {
  address?: WireValue
  chain?: WireValue
  network?: WireValue
  networkType?: WireValue
  purpose?: WireValue
}

/** A whole message for an older client to sign as it is: `authenticate({ signingMessage: message })`. */
export async function requestMessage(
  context: Context,
  caller: Caller,
  input: MessageRequest,
): Promise<{ message: string }> {
  const { address } = input
  if (typeof address !== 'string') throw new CountersignError('InvalidValue', 'address is needed.')
  const { message } = await createChallenge(context, caller, {
    namespace: readNetwork(input.networkType),
    address,
    ...(input.purpose !== undefined && { purpose: input.purpose }),
    ...readChain(input),
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

function readNetwork(value: WireValue | undefined): 'eip155' | 'solana' {
  if (value === undefined || value === 'evm') return 'eip155'
  if (value === 'solana') return 'solana'
  throw new CountersignError('InvalidValue', 'networkType must be evm or solana.')
}

function readChain({ chain, network, networkType }: MessageRequest): { chainId?: WireValue } {
  const chainId = networkType === 'solana' ? network : chain
  return chainId === undefined ? {} : { chainId }
}
