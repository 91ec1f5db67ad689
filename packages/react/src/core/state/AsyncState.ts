import type { CountersignError } from '@countersign/protocol'

export type AsyncState<Data> =
  | {
      readonly status: 'pending'
      readonly data?: undefined
      readonly error?: undefined
      readonly isFetching: boolean
    }
  | { readonly status: 'success'; readonly data: Data; readonly error?: undefined; readonly isFetching: boolean }
  | {
      readonly status: 'error'
      /** Data of the last successful read. */
      readonly data?: Data
      readonly error: CountersignError
      readonly isFetching: boolean
    }
