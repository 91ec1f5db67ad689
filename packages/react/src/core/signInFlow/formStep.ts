import type { Callbacks } from '../Callbacks.ts'
import type { User } from '../User.ts'
import type { FlowRun } from './FlowRun.ts'
import { readWait } from './readWait.ts'
import { settle } from './settle.ts'

/** A sign-in without a wallet, by passkey or password. */
export async function formStep(
  { signal, show, finish }: FlowRun,
  status: 'passkey' | 'password',
  act: (callbacks: Callbacks<User>) => Promise<User | undefined>,
): Promise<void> {
  show({ status, pending: true })
  const outcome = await settle(() => act({ signal, throwOnError: true }))
  if ('error' in outcome) {
    const { error } = outcome
    show({ status, pending: false, error, ...(error.status === 429 && { until: readWait(error) }) })
  } else if (outcome.data) {
    finish(status, outcome.data)
  }
}
