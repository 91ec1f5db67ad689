import type { CountersignError } from '@countersign/protocol'
import { toMoralisError } from './errors.ts'

/**
 * Callbacks of every operation of the older names. One rule: after a failure `onError` is called if given and nothing
 * is thrown; otherwise the error is thrown if `throwOnError` is set. `onComplete` always comes last.
 */
export type MoralisCallbacks<Data> = {
  onSuccess?: (data: Data) => void
  onError?: (error: Error) => void
  onComplete?: () => void
  throwOnError?: boolean
}

export async function runCall<Data>(
  { onSuccess, onError, onComplete, throwOnError }: MoralisCallbacks<Data>,
  act: () => Promise<Data>,
): Promise<Data | undefined> {
  try {
    const outcome = await attempt(act)
    if ('data' in outcome) {
      onSuccess?.(outcome.data)
      return outcome.data
    }
    if (onError) onError(outcome.error)
    else if (throwOnError) throw outcome.error
    return undefined
  } finally {
    onComplete?.()
  }
}

// Apart from the callbacks, so that an onSuccess that throws is not reported as a failed operation.
async function attempt<Data>(act: () => Promise<Data>): Promise<{ data: Data } | { error: CountersignError }> {
  try {
    return { data: await act() }
  } catch (error) {
    return { error: toMoralisError(error) }
  }
}
