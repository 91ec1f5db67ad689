import type { CountersignError } from '@countersign/protocol'
import type { Callbacks } from './Callbacks.ts'
import type { Client } from './Client.ts'
import { toCountersignError } from './errors/toCountersignError.ts'

/** The one rule of R6 for all operations. */
export async function runAction<Data>(
  client: Client,
  callbacks: Callbacks<Data>,
  act: () => Promise<Data>,
): Promise<Data | undefined> {
  try {
    const outcome = await attempt(act)
    if ('data' in outcome) {
      callbacks.onSuccess?.(outcome.data)
      return outcome.data
    }
    client.internal.watchError?.(outcome.error)
    if (callbacks.onError) callbacks.onError(outcome.error)
    else if (callbacks.throwOnError ?? client.internal.options.throwOnError) throw outcome.error
    return undefined
  } finally {
    callbacks.onComplete?.()
  }
}

type Outcome<Data> = { readonly data: Data } | { readonly error: CountersignError }

// Apart from the callbacks, so that an onSuccess that throws is not reported as a failed operation.
async function attempt<Data>(act: () => Promise<Data>): Promise<Outcome<Data>> {
  try {
    return { data: await act() }
  } catch (error) {
    return { error: toCountersignError(error) }
  }
}
