import type { CountersignError } from '@countersign/protocol'

/**
 * What every operation takes (R6). After a failure `onError` is called if given and nothing is thrown; otherwise the
 * error is thrown if `throwOnError` is set here or on the client. `onComplete` always comes last.
 */
export type Callbacks<Data = void> = {
  onSuccess?: (data: Data) => void
  onError?: (error: CountersignError) => void
  onComplete?: () => void
  throwOnError?: boolean
  signal?: AbortSignal
}
