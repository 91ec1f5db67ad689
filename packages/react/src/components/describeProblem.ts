import { type CountersignError, errorCodes } from '@countersign/protocol'
import { PasskeyError } from '../core/errors/PasskeyError.ts'
import type { Say } from './createSay.ts'
import { formatWait } from './formatWait.ts'

/** A failure in a sentence for people. The server's own is kept where it has one (R22). */
export function describeProblem(say: Say, error: CountersignError, seconds: number): string {
  if (error.status === 429) {
    const hint = seconds > 0 ? say('limitedHint', { wait: formatWait(seconds) }) : say('limitedHintNow')
    return `${say('limited')} ${hint}`
  }
  if (error.code === errorCodes.ConnectionFailed || error.status >= 500) return say('unreachable')
  if (error instanceof PasskeyError && error.reason === 'unsupported') return say('passkeyUnsupported')
  if (error instanceof PasskeyError && error.reason === 'failed') return say('passkeyFailed')
  // The same code also tells of a locked account, in words that must not be lost.
  if (error.code === errorCodes.ObjectNotFound && /^invalid/i.test(error.message)) return say('wrongPassword')
  return error.message
}
