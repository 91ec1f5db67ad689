'use client'

import type { CountersignError } from '@countersign/protocol'
import { useMemo, useSyncExternalStore } from 'react'
import type { Client } from '../../core/client/Client.ts'
import type { ActionError, ActionName } from '../../core/errors/ActionError.ts'
import {
  type Action,
  type ActionState,
  createMutation,
  type Run,
  type RunAsync,
  type RunOptional,
  type RunOptions,
  type RunPlain,
} from '../../core/readings/createMutation.ts'
import { useClient } from './useClient.ts'

type AnyAction = (client: Client, ...given: never[]) => Promise<unknown>

// With `throwOnError: true` an operation of the session always has data.
type DataOf<Act extends AnyAction> = Exclude<Awaited<ReturnType<Act>>, undefined>

type RunOf<Act extends AnyAction, Failure> = 3 extends Parameters<Act>['length']
  ? undefined extends Parameters<Act>[1]
    ? RunOptional<Exclude<Parameters<Act>[1], undefined>, DataOf<Act>, Failure>
    : Run<Parameters<Act>[1], DataOf<Act>, Failure>
  : RunPlain<DataOf<Act>, Failure>

type AsyncOf<Act extends AnyAction> = 3 extends Parameters<Act>['length']
  ? undefined extends Parameters<Act>[1]
    ? (input?: Exclude<Parameters<Act>[1], undefined>, options?: RunOptions) => Promise<DataOf<Act>>
    : RunAsync<Parameters<Act>[1], DataOf<Act>>
  : (options?: RunOptions) => Promise<DataOf<Act>>

/**
 * Result of a hook that starts an action: the state of its latest call, the action by its name, and the same with
 * `Async`, which rejects where it fails.
 */
export type ActionHook<Name extends ActionName, Act extends AnyAction> = ActionState<DataOf<Act>, ActionError<Name>> & {
  readonly [Key in Name]: RunOf<Act, ActionError<Name>>
} & { readonly [Key in `${Name}Async`]: AsyncOf<Act> } & { readonly reset: () => void }

type Joined<Name extends string, Data, Runs, Asyncs, Failure extends CountersignError> = ActionState<Data, Failure> & {
  readonly [Key in Name]: Runs
} & { readonly [Key in `${Name}Async`]: Asyncs } & {
  readonly reset: () => void
}

/** Joins a component to an action and the state of its latest call; the action is started by its name. */
export function useAction<const Name extends string, Input, Data, Failure extends CountersignError = CountersignError>(
  name: Name,
  action: Action<Input, Data>,
  /** Title in the devtools. */
  title: string = name,
): Joined<Name, Data, Run<Input, Data, Failure>, RunAsync<Input, Data>, Failure> {
  const client = useClient()
  const { state, run, runAsync, reset } = useMemo(() => createMutation(client, title, action), [client, title, action])
  const shown = useSyncExternalStore(state.subscribe, state.get, state.get)
  return { ...shown, [name]: run, [`${name}Async`]: runAsync, reset } as never
}

const silent = { onSuccess: undefined, onError: undefined, onComplete: undefined }

type PlainAction<Data> = (
  client: Client,
  options: { readonly signal?: AbortSignal; readonly throwOnError: true },
) => Promise<Data>

/** As `useAction`, for actions whose only input are options beside the callbacks. */
export function usePlainAction<const Name extends string, Data, Failure extends CountersignError = CountersignError>(
  name: Name,
  action: PlainAction<Data>,
): Joined<Name, Data, RunPlain<Data, Failure>, (options?: RunOptions) => Promise<Data>, Failure> {
  const client = useClient()
  const { state, run, runAsync, reset } = useMemo(() => {
    const mutation = createMutation<object | undefined, Data>(client, name, (client, given, options) =>
      // The callbacks are called for the action as a whole, once.
      action(client, { ...given, ...silent, ...options }),
    )
    return {
      ...mutation,
      run: ((callbacks) => mutation.run(callbacks, callbacks)) as RunPlain<Data>,
      runAsync: (options?: RunOptions) => mutation.runAsync(options, options),
    }
  }, [client, name, action])
  const shown = useSyncExternalStore(state.subscribe, state.get, state.get)
  return { ...shown, [name]: run, [`${name}Async`]: runAsync, reset } as never
}
