import { useMemo, useSyncExternalStore } from 'react'
import type { Callbacks } from '../core/Callbacks.ts'
import type { Client } from '../core/Client.ts'
import { createMutation, type MutationState } from '../core/createMutation.ts'
import { useClient } from './useClient.ts'

/** As `useMutation`, for actions that take no input. */
export function useCommand<Data>(action: (client: Client, callbacks?: Callbacks<Data>) => Promise<Data | undefined>): {
  state: MutationState<Data>
  run: (callbacks?: Callbacks<Data>) => Promise<Data | undefined>
  reset: () => void
} {
  const client = useClient()
  const { state, run, reset } = useMemo(() => {
    const mutation = createMutation<undefined, Data>(client, (client, _, callbacks) => action(client, callbacks))
    return { ...mutation, run: (callbacks?: Callbacks<Data>) => mutation.run(undefined, callbacks) }
  }, [client, action])
  return { state: useSyncExternalStore(state.subscribe, state.get, state.get), run, reset }
}
