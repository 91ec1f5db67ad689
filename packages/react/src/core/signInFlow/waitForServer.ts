import { requireConnection } from '../requireConnection.ts'
import { sendRequest } from '../sendRequest.ts'
import { sleep } from '../sleep.ts'
import type { FlowRun } from './FlowRun.ts'
import type { WalletStep } from './SignInFlowState.ts'
import { settle } from './settle.ts'

const longest = 30_000

/** Waits until the server answers again, with growing pauses; at once when the network or the page comes back. */
export async function waitForServer({ client, signal, show }: FlowRun, step: WalletStep): Promise<void> {
  for (let pause = 2000; !signal.aborted; pause = Math.min(pause * 2, longest)) {
    show({ ...step, status: 'offline', retryAt: Date.now() + pause })
    await untilReturn(pause, signal)
    if (signal.aborted) return
    const probe = { attemptLimit: 1, signal }
    const outcome = await settle(() =>
      sendRequest(client.internal.options, requireConnection(client), 'getHealth', {}, probe),
    )
    if ('data' in outcome) return
  }
}

async function untilReturn(pause: number, signal: AbortSignal): Promise<void> {
  const controller = new AbortController()
  const wake = () => controller.abort()
  const wakeIfShown = () => document.visibilityState === 'visible' && wake()
  signal.addEventListener('abort', wake)
  globalThis.window?.addEventListener?.('online', wake)
  globalThis.document?.addEventListener('visibilitychange', wakeIfShown)
  await sleep(pause, controller.signal)
  signal.removeEventListener('abort', wake)
  globalThis.window?.removeEventListener?.('online', wake)
  globalThis.document?.removeEventListener('visibilitychange', wakeIfShown)
}
