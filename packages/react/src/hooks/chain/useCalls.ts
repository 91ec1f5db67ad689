'use client'

import type { CallsStatus, Capabilities } from '../../core/chain/CallsInput.ts'
import { callsReading, capabilitiesReading } from '../../core/chain/callsReadings.ts'
import { sendCalls } from '../../core/chain/sendCalls.ts'
import { useClient } from '../client/useClient.ts'
import { type ActionHook, useAction } from '../client/useMutation.ts'
import { type PlainReadOptions, type UseAsync, useReading } from '../client/useReading.ts'

export type UseSendCalls = ActionHook<'sendCalls', typeof sendCalls>

/**
 * Has the wallet send several calls by one prompt; call it on a click.
 *
 * @example
 * const { sendCalls, data } = useSendCalls()
 * const calls = useCallsStatus(data?.id)
 * <button onClick={() => sendCalls({ calls: [approval, purchase] })}>Buy</button>
 */
export function useSendCalls(): UseSendCalls {
  return useAction('sendCalls', sendCalls)
}

/** Milliseconds between two looks at calls that are under way. */
const pause = 1_000

/**
 * State of calls, updated until they are confirmed or failed; then shown contracts are read again. Reads nothing
 * without an id.
 *
 * @example
 * const { data } = useCallsStatus(id)
 * return <p>{data?.status ?? 'not sent'}</p>
 */
export function useCallsStatus(id: string | undefined, options: PlainReadOptions = {}): UseAsync<CallsStatus> {
  const reading = callsReading(useClient(), id)
  const { data } = reading.peek.get()
  const isOver = data !== undefined && data.status !== 'pending'
  return useReading(reading, {
    refetchInterval: isOver ? undefined : pause,
    ...options,
    enabled: id !== undefined && options.enabled !== false,
  })
}

/**
 * Abilities of the connected wallet by chain (EIP-5792); empty if it reports none.
 *
 * @example
 * const { data: capabilities } = useCapabilities()
 * const isSponsored = capabilities?.[8453]?.paymasterService !== undefined
 */
export function useCapabilities(options: PlainReadOptions = {}): UseAsync<Capabilities> {
  return useReading(capabilitiesReading(useClient(), undefined), options)
}
