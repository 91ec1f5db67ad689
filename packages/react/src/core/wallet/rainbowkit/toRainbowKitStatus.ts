import type { SessionState } from '../../SessionState.ts'

export type RainbowKitStatus = 'loading' | 'unauthenticated' | 'authenticated'

/**
 * What `RainbowKitAuthenticationProvider` takes as its `status`.
 *
 * @example
 * const status = toRainbowKitStatus(client.session.get())
 */
export function toRainbowKitStatus({ status }: SessionState): RainbowKitStatus {
  if (status === 'undefined') return 'loading'
  return status === 'authenticated' ? 'authenticated' : 'unauthenticated'
}
