import { CountersignError, errorCodes } from '@countersign/protocol'

export type Refusal = 'refused' | 'pending' | 'taken' | 'unchecked' | 'offline' | 'limited' | 'ended' | 'failed'

/** What a failure means for the person who waits. */
export function readRefusal(error: CountersignError): Refusal {
  if (error.status === 429) return 'limited'
  if (error.code === errorCodes.AccountAlreadyLinked) return 'taken'
  if (error.reason === 'serverUnreachable' || error.status >= 500) return 'offline'
  // The server answered: it is the node of a chain that could not be asked.
  if (error.code === errorCodes.ConnectionFailed) return 'unchecked'
  if (error.code === errorCodes.InvalidSessionToken || error.code === errorCodes.SessionMissing) return 'ended'
  const { code, message } = readWalletFailure(error)
  if (code === -32002) return 'pending'
  if (refusals.has(code) || /user (rejected|denied|cancell?ed|refused)/i.test(message)) return 'refused'
  return 'failed'
}

/** EIP-1193; WalletConnect; what libraries between page and wallet make of it. */
const refusals = new Set<unknown>([4001, 5000, 5001, 'ACTION_REJECTED'])

/** The innermost answer of the wallet: libraries wrap it, and some drop its code on the way. */
function readWalletFailure(error: CountersignError): { code: unknown; message: string } {
  let code: unknown
  let { message } = error
  let cause: unknown = error.cause
  for (let depth = 0; depth < 4 && typeof cause === 'object' && cause !== null; depth++) {
    const answer: { code?: unknown; message?: unknown; cause?: unknown } = cause
    if (!(cause instanceof CountersignError) && answer.code !== undefined) code = answer.code
    if (typeof answer.message === 'string') message = answer.message
    cause = answer.cause
  }
  return { code, message }
}
