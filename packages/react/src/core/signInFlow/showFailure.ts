import { type CountersignError, errorCodes } from '@countersign/protocol'
import { sleep } from '../errors/errors.ts'
import { readWalletFailure } from '../wallet/connection/askProvider.ts'
import type { FlowRun, SignInFlowState, WalletStep } from './SignInFlowState.ts'

/** Milliseconds after which a wallet that is asking already may be asked again. */
export const restartAfter = 20_000

/** Shows a failure of the wallet step by its meaning. */
export function showFailure(run: FlowRun, step: WalletStep, error: CountersignError): void {
  const { show, signal, confirm } = run
  if (error.reason === 'reauthenticationRequired' && confirm()) return
  if (run.askFurther(error) || showRestorable(run, error, true)) return
  const state = toState(step, error)
  show(state)
  if (state.status !== 'pending') return
  void sleep(restartAfter, signal).then(() => show({ ...state, canRestart: true }))
}

function toState(step: WalletStep, error: CountersignError): SignInFlowState {
  const refusal = readRefusal(error)
  switch (refusal) {
    case 'ended':
      return { status: 'choosing', ended: true }
    case 'pending':
      return { ...step, status: refusal, canRestart: false }
    case 'refused':
      return step.account ? { ...step, status: 'unsigned', reason: refusal } : { ...step, status: refusal }
    case 'limited':
      return { ...step, status: refusal, until: readWait(error) }
    case 'taken':
    case 'unchecked':
      return { ...step, status: refusal }
    case 'offline':
    case 'failed':
      return { ...step, status: 'failed', error }
  }
}

export type Refusal = 'refused' | 'pending' | 'taken' | 'unchecked' | 'offline' | 'limited' | 'ended' | 'failed'

/** Meaning of a failure for the waiting person. */
export function readRefusal(error: CountersignError): Refusal {
  if (error.status === 429) return 'limited'
  if (error.code === errorCodes.AccountAlreadyLinked) return 'taken'
  if (error.reason === 'serverUnreachable' || error.status >= 500) return 'offline'
  // The server responded: the node of a chain is unreachable.
  if (error.code === errorCodes.ConnectionFailed) return 'unchecked'
  if (error.code === errorCodes.InvalidSessionToken || error.code === errorCodes.SessionMissing) return 'ended'
  if (error.reason === 'userRejected') return 'refused'
  return readWalletFailure(error).code === -32002 ? 'pending' : 'failed'
}

/** The moment before which the server wants no further try (429). */
export function readWait({ rateLimit }: CountersignError): number {
  return Date.now() + (rateLimit?.retryAfter ?? rateLimit?.reset ?? 30) * 1000
}

/** Shows that the account can be restored, where that is why it was refused. */
export function showRestorable(
  { show }: Pick<FlowRun, 'show'>,
  { reason, params }: CountersignError,
  hasWallet = false,
): boolean {
  const time = Date.parse(String(params?.time))
  if (reason === 'accountDeletionPending') show({ status: 'deleted', dueAt: time })
  else if (reason === 'walletUnlinked') show({ status: 'lost', by: 'unlink', until: time, canStartNew: true })
  // The name of the account is kept for it, the wallet is not.
  else if (reason === 'accountMerged') show({ status: 'lost', by: 'merge', until: time, canStartNew: hasWallet })
  else return false
  return true
}

/**
 * Returns true if mail alone does not open the account, and its reader may create a new one with the address.
 *
 * @example
 * if (offersNewAccount(error)) await signInWithEmailCode(client, { handle, code: '123456', newAccount: true })
 */
export function offersNewAccount({ reason, params }: CountersignError): boolean {
  return reason === 'emailOpensNothing' || params?.newAccount === true
}
