import type { CountersignError } from '@countersign/protocol'
import { toCountersignError } from '../errors/toCountersignError.ts'

export type Outcome<Data> = { readonly data: Data | undefined } | { readonly error: CountersignError }

/** The outcome of an action as a value. */
export async function settle<Data>(act: () => Promise<Data | undefined>): Promise<Outcome<Data>> {
  try {
    return { data: await act() }
  } catch (error) {
    return { error: toCountersignError(error) }
  }
}
