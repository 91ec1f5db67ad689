import { type CountersignError, errorCodes } from '@countersign/protocol'
import type { SheetWords } from './words.ts'

/** A failure in a sentence for people. The server's own is kept where it has one (R22). */
export function describeProblem(words: SheetWords, error: CountersignError, seconds: number): string {
  if (error.status === 429) {
    const wait = seconds > 0 ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` : ''
    return `${words.limited} ${words.limitedHint(wait)}`
  }
  if (error.code === errorCodes.ConnectionFailed || error.status >= 500) return words.unreachable
  // The same code also tells of a locked account, in words that must not be lost.
  if (error.code === errorCodes.ObjectNotFound && /^invalid/i.test(error.message)) return words.wrongPassword
  return error.message
}
