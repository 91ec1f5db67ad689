import { useMemo, useSyncExternalStore } from 'react'
import { type Action, createMutation, type Mutation, type MutationState } from '../core/createMutation.ts'
import { useClient } from './useClient.ts'

/** Joins a component to an action and the state of its latest call. */
export function useMutation<Input, Data>(
  action: Action<Input, Data>,
): { state: MutationState<Data> } & Pick<Mutation<Input, Data>, 'run' | 'reset'> {
  const client = useClient()
  const { state, run, reset } = useMemo(() => createMutation(client, action), [client, action])
  return { state: useSyncExternalStore(state.subscribe, state.get, state.get), run, reset }
}
