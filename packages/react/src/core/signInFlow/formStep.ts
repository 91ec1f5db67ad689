import type { Callbacks } from '../Callbacks.ts'
import type { User } from '../User.ts'
import type { FlowRun } from './FlowRun.ts'
import { readWait } from './readWait.ts'
import { settle } from './settle.ts'
import { showDeletion } from './showDeletion.ts'

/** A sign-in without a wallet, by passkey or password. */
export async function formStep(
  run: FlowRun,
  status: 'passkey' | 'password',
  act: (callbacks: Callbacks<User>) => Promise<User | undefined>,
): Promise<void> {
  const { signal, show, finish } = run
  show({ status, pending: true })
  const outcome = await settle(() => act({ signal, throwOnError: true }))
  if ('error' in outcome) {
    const { error } = outcome
    if (showDeletion(run, error)) return
    show({ status, pending: false, error, ...(error.status === 429 && { until: readWait(error) }) })
  } else if (outcome.data) {
    finish(status, outcome.data)
  }
}
