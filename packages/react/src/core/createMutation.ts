import type { CountersignError } from '@countersign/protocol'
import type { Callbacks } from './Callbacks.ts'
import type { Client } from './Client.ts'
import { createStore } from './createStore.ts'
import type { Store } from './Store.ts'

export type MutationState<Data> =
  | { readonly status: 'idle' | 'pending'; readonly data?: undefined; readonly error?: undefined }
  | { readonly status: 'success'; readonly data: Data; readonly error?: undefined }
  | { readonly status: 'error'; readonly data?: undefined; readonly error: CountersignError }

export type Action<Input, Data> = (
  client: Client,
  input: Input,
  callbacks?: Callbacks<Data>,
) => Promise<Data | undefined>

export type Mutation<Input, Data> = {
  readonly state: Store<MutationState<Data>>
  readonly run: (input: Input, callbacks?: Callbacks<Data>) => Promise<Data | undefined>
  readonly reset: () => void
}

/** An action with the state of its latest call. */
export function createMutation<Input, Data>(client: Client, action: Action<Input, Data>): Mutation<Input, Data> {
  const state = createStore<MutationState<Data>>({ status: 'idle' })
  let latest = 0
  return {
    state,
    run(input, callbacks = {}) {
      const call = ++latest
      const settle = (outcome: MutationState<Data>) => {
        if (call === latest) state.set(outcome)
      }
      state.set({ status: 'pending' })
      return action(client, input, {
        ...callbacks,
        onSuccess(data) {
          settle({ status: 'success', data })
          callbacks.onSuccess?.(data)
        },
        onError(error) {
          settle({ status: 'error', error })
          if (callbacks.onError) callbacks.onError(error)
          else if (callbacks.throwOnError ?? client.internal.options.throwOnError) throw error
        },
      })
    },
    reset() {
      latest++
      state.set({ status: 'idle' })
    },
  }
}
