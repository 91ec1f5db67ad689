import type { CountersignError } from '@countersign/protocol'
import type { Say } from './createSay.ts'
import { formatWait } from './formatWait.ts'

/** A failure in a sentence for people. The server's own is kept where it has one (R22). */
export function describeProblem(say: Say, error: CountersignError, seconds: number): string {
  if (error.status === 429) {
    const hint = seconds > 0 ? say('limitedHint', { wait: formatWait(seconds) }) : say('limitedHintNow')
    return `${say('limited')} ${hint}`
  }
  if (error.reason === 'serverUnreachable' || error.status >= 500) return say('unreachable')
  if (error.reason === 'passkeyUnsupported') return say('passkeyUnsupported')
  if (error.reason === 'passkeyFailed') return say('passkeyFailed')
  if (error.reason === 'invalidCredentials') return say('wrongPassword')
  return error.message
}
