'use client'

import { useMemo } from 'react'
import type { Client } from '../../core/client/Client.ts'
import type { ActionOptions } from '../../core/client/runAction.ts'
import type { ActionError } from '../../core/errors/ActionError.ts'
import type { PushInput, PushState } from '../../core/push/PushState.ts'
import { getPushState, subscribeToPush, unsubscribeFromPush } from '../../core/push/push.ts'
import type { RunOptional, RunPlain } from '../../core/readings/createMutation.ts'
import { defineSharedReading } from '../../core/readings/defineReading.ts'
import { useClient } from '../client/useClient.ts'
import { useAction, usePlainAction } from '../client/useMutation.ts'
import { useReading } from '../client/useReading.ts'

const stateReading = /*#__PURE__*/ defineSharedReading(
  (input: PushInput) => ({ pushState: input }),
  (client, input) => getPushState(client, input),
)

export type UsePush = {
  /** `undefined` while the browser is asked. */
  readonly state: PushState | undefined
  /** To be called by a press of a button: the browser asks the person then, and only then. */
  readonly subscribe: RunOptional<{ readonly channels?: readonly string[] }, PushState, ActionError<'subscribeToPush'>>
  readonly unsubscribe: RunPlain<void, ActionError<'unsubscribeFromPush'>>
  readonly isPending: boolean
  readonly error: ActionError<'subscribeToPush'> | ActionError<'unsubscribeFromPush'> | undefined
}

/**
 * Push notifications in this browser: their state, and functions to subscribe and unsubscribe.
 *
 * @example
 * const { state, subscribe, unsubscribe, isPending } = usePush()
 * if (state === 'default') return <button disabled={isPending} onClick={() => subscribe()}>Notify me</button>
 * if (state === 'subscribed') return <button onClick={() => unsubscribe()}>No notifications</button>
 */
export function usePush({ worker }: PushInput = {}): UsePush {
  const input = useMemo(() => (worker === undefined ? {} : { worker }), [worker])
  const actions = useMemo(
    () => ({
      begin: (client: Client, given: { readonly channels?: readonly string[] } | undefined, options: ActionOptions) =>
        subscribeToPush(client, { ...given, ...input }, options),
      end: (client: Client, options: ActionOptions) => unsubscribeFromPush(client, input, options),
    }),
    [input],
  )
  const reading = useReading(stateReading(useClient(), input))
  const beginning = useAction('subscribe', actions.begin)
  const ending = usePlainAction('unsubscribe', actions.end)
  return {
    state: reading.data,
    subscribe: beginning.subscribe as UsePush['subscribe'],
    unsubscribe: ending.unsubscribe as UsePush['unsubscribe'],
    isPending: beginning.status === 'pending' || ending.status === 'pending',
    error: (beginning.error ?? ending.error) as UsePush['error'],
  }
}
