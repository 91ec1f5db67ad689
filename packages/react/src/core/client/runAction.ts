import type { CountersignError } from '@countersign/protocol'
import { toCountersignError } from '../errors/errors.ts'
import type { Client } from './Client.ts'

/**
 * Callbacks of every operation. After a failure `onError` is called if given and nothing is thrown; otherwise the error
 * is thrown if `throwOnError` is set here or on the client. `onComplete` always comes last.
 */
export type Callbacks<Data = void, Failure = CountersignError> = {
  onSuccess?: (data: Data) => void
  onError?: (error: Failure) => void
  onComplete?: () => void
  throwOnError?: boolean
  signal?: AbortSignal
}

/** Result of an operation: with `throwOnError: true` it has data, or it rejects. */
export type Result<Data, Given> = Given extends { readonly throwOnError: true; readonly onError?: undefined }
  ? Data
  : Data | undefined

/** Options of every other action, which rejects on failure. */
export type ActionOptions = { readonly signal?: AbortSignal | undefined }

/** One rule for the operations of session and wallet, and for actions of hooks. */
export async function runOperation<Data, Given extends Callbacks<Data, never>>(
  client: Client,
  callbacks: Given,
  act: () => Promise<Data>,
): Promise<Result<Data, Given>> {
  try {
    const outcome = await attempt(act)
    if ('data' in outcome) {
      callbacks.onSuccess?.(outcome.data)
      return outcome.data as Result<Data, Given>
    }
    client.internal.watchError?.(outcome.error)
    if (callbacks.onError) callbacks.onError(outcome.error as never)
    else if (callbacks.throwOnError ?? client.internal.options.throwOnError) throw outcome.error
    return undefined as Result<Data, Given>
  } finally {
    callbacks.onComplete?.()
  }
}

/** Every other action: it resolves to its data, or rejects with a CountersignError. */
export async function runAction<Data>(client: Client, act: () => Promise<Data>): Promise<Data> {
  const outcome = await attempt(act)
  if ('data' in outcome) return outcome.data
  client.internal.watchError?.(outcome.error)
  throw outcome.error
}

export type Outcome<Data> = { readonly data: Data } | { readonly error: CountersignError }

/** The outcome of an action as a value. Apart from callbacks: an onSuccess that throws is no failed operation. */
export async function attempt<Data>(act: () => Promise<Data>): Promise<Outcome<Data>> {
  try {
    return { data: await act() }
  } catch (error) {
    return { error: toCountersignError(error) }
  }
}
