import type { CountersignError } from '@countersign/protocol'
import { sleep } from '../sleep.ts'
import type { FlowRun } from './FlowRun.ts'
import { readRefusal } from './readRefusal.ts'
import { readWait } from './readWait.ts'
import type { SignInFlowState, WalletStep } from './SignInFlowState.ts'
import { showDeletion } from './showDeletion.ts'

/** Milliseconds after which a wallet that is asking already may be asked again. */
export const restartAfter = 20_000

/** Shows a failure of the wallet step for what it means. */
export function showFailure(run: FlowRun, step: WalletStep, error: CountersignError): void {
  const { show, signal, confirm } = run
  if (error.reason === 'reauthenticationRequired' && confirm()) return
  if (showDeletion(run, error)) return
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
