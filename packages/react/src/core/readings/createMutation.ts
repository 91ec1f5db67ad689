import type { CountersignError } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { type Callbacks, type Result, runOperation } from '../client/runAction.ts'
import { createStore, type Store } from '../state/createStore.ts'

export type ActionState<Data, Failure extends CountersignError = CountersignError> =
  | { readonly status: 'idle' | 'pending'; readonly data?: undefined; readonly error?: undefined }
  | { readonly status: 'success'; readonly data: Data; readonly error?: undefined }
  | { readonly status: 'error'; readonly data?: undefined; readonly error: Failure }

/** An action of the core that rejects where it fails. */
export type Action<Input, Data> = (
  client: Client,
  input: Input,
  options: { readonly signal?: AbortSignal; readonly throwOnError: true },
) => Promise<Data>

/** Starts an action from a component. */
export type Run<Input, Data, Failure = CountersignError> = <
  Given extends Callbacks<Data, Failure> = Callbacks<Data, Failure>,
>(
  input: Input,
  callbacks?: Given,
) => Promise<Result<Data, Given>>

/** Like `Run`, but always rejects on failure: for `await` inside `try`. */
export type RunAsync<Input, Data> = (input: Input, options?: RunOptions) => Promise<Data>

export type RunOptions = { readonly signal?: AbortSignal }

/** As `Run`, where the input may be left out. */
export type RunOptional<Input, Data, Failure = CountersignError> = <
  Given extends Callbacks<Data, Failure> = Callbacks<Data, Failure>,
>(
  input?: Input,
  callbacks?: Given,
) => Promise<Result<Data, Given>>

/** As `Run`, for an action without input. */
export type RunPlain<Data, Failure = CountersignError> = <
  Given extends Callbacks<Data, Failure> = Callbacks<Data, Failure>,
>(
  callbacks?: Given,
) => Promise<Result<Data, Given>>

export type Mutation<Input, Data> = {
  readonly state: Store<ActionState<Data>>
  readonly run: Run<Input, Data>
  readonly runAsync: RunAsync<Input, Data>
  readonly reset: () => void
}

/** An action with the state of its latest call. */
export function createMutation<Input, Data>(
  client: Client,
  name: string,
  action: Action<Input, Data>,
): Mutation<Input, Data> {
  const state = createStore<ActionState<Data>>({ status: 'idle' })
  let latest = 0
  const mutation: Mutation<Input, Data> = {
    state,
    runAsync: (input, { signal } = {}) =>
      mutation.run(input, { ...(signal && { signal }), throwOnError: true as const }),
    run(input, callbacks) {
      const call = ++latest
      const settle = (outcome: ActionState<Data>) => {
        if (call === latest) state.set(outcome)
      }
      state.set({ status: 'pending' })
      const note = client.internal.watchAction?.(name)
      const { signal } = callbacks ?? {}
      const given = callbacks ?? ({} as NonNullable<typeof callbacks>)
      return runOperation<Data, typeof given>(client, given, async () => {
        try {
          const data = await action(client, input, { ...(signal && { signal }), throwOnError: true })
          settle({ status: 'success', data })
          note?.()
          return data
        } catch (error) {
          settle({ status: 'error', error: error as CountersignError })
          note?.(error as CountersignError)
          throw error
        }
      })
    },
    reset() {
      latest++
      state.set({ status: 'idle' })
    },
  }
  return mutation
}
