import type { CountersignError } from '@countersign/protocol'

export type AsyncState<Data> =
  | {
      readonly status: 'pending'
      readonly data?: undefined
      readonly error?: undefined
      readonly isFetching: boolean
      readonly isStale?: boolean
    }
  | {
      readonly status: 'success'
      readonly data: Data
      readonly error?: undefined
      readonly isFetching: boolean
      /** Data of the device, which the server has not confirmed since. */
      readonly isStale?: boolean
      /** Time (ms) of a result that was kept on the device. */
      readonly readAt?: number
      /** Data of a device that keeps only a part of the documents. */
      readonly isPartial?: boolean
    }
  | {
      readonly status: 'error'
      /** Data of the last successful read. */
      readonly data?: Data
      readonly error: CountersignError
      readonly isFetching: boolean
      readonly isStale?: boolean
    }
