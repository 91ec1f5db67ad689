import type { CountersignError } from '@countersign/protocol'
import { requireConnection } from '../client/guards.ts'
import { attempt, type Callbacks, type Outcome } from '../client/runAction.ts'
import { sleep } from '../errors/errors.ts'
import { sendRequest } from '../http/sendRequest.ts'
import type { Connector, SignerInput } from '../state/Connector.ts'
import { isSameAddress } from '../wallet/connection/askProvider.ts'
import type { FlowRun, WalletStep } from './SignInFlowState.ts'
import { readRefusal, showFailure } from './showFailure.ts'

/** Milliseconds until the wallet's window is taken for hidden, and until a check counts as slow. */
const hidden = 5000

const slowCheck = 1500

const longest = 30_000

type Act<Data> = (input: SignerInput, callbacks: Callbacks<Data>) => Promise<Data | undefined>

/**
 * Asks a wallet to sign and shows the progress. Returns the result and the signed text, or `undefined` once a failure
 * is shown.
 */
export async function askWallet<Data>(
  run: FlowRun,
  connector: Connector,
  act: Act<Data>,
): Promise<{ readonly data: Data; readonly message: string | undefined } | undefined> {
  const { client, signal, show } = run
  for (;;) {
    const view = createSigningView(run, connector)
    const ask = (chainId?: number): Promise<Outcome<Data | undefined>> => {
      const input = { connector, chainId, onMessage: view.onMessage, onSigned: view.onSigned }
      return attempt(() => act(input, { signal, throwOnError: true }))
    }
    let outcome = await ask()
    // Signing in never waits for a change of network: a key signs on any, so one is named that the server offers.
    if (
      'error' in outcome &&
      outcome.error.reason === 'chainNotAllowed' &&
      connector.namespace === 'eip155' &&
      !signal.aborted
    ) {
      outcome = await ask(client.internal.options.chains?.[0]?.id ?? 1)
    }
    view.stop()
    if (signal.aborted) return undefined
    const step = view.step()
    if ('data' in outcome) return outcome.data && { data: outcome.data, message: step.message }
    const { error } = outcome
    if (readRefusal(error) === 'offline') {
      await waitForServer(run, step)
      if (signal.aborted) return undefined
      // The wallet's window was already shown once; a second one needs a click.
      if (!step.message) continue
      show({ ...step, status: 'unsigned', reason: 'back' })
      return undefined
    }
    const account = await findAccount(run, connector, error)
    if (signal.aborted) return undefined
    const isOther = account && step.account && !isSameAddress(connector.namespace, account, step.account)
    if (isOther) show({ ...step, account, message: undefined, status: 'changed', from: step.account })
    else showFailure(run, account ? step : { connector }, error)
    return undefined
  }
}

/** The account that the wallet is on now. Some report a change only when they are asked. */
async function findAccount({ client, signal }: FlowRun, connector: Connector, { reason }: CountersignError) {
  const wallet = client.wallet.get()
  if (wallet.status !== 'connected') return undefined
  if (reason !== 'walletAccountChanged') return wallet.account
  const link = await connector.reconnect({ signal }).catch(() => undefined)
  return link?.accounts[0] ?? wallet.account
}

/**
 * Waits until the server responds again, with growing delays; retries immediately when the network or the page is back.
 */
async function waitForServer({ client, signal, show }: FlowRun, step: WalletStep): Promise<void> {
  for (let pause = 2000; !signal.aborted; pause = Math.min(pause * 2, longest)) {
    show({ ...step, status: 'offline', retryAt: Date.now() + pause })
    await untilReturn(pause, signal)
    if (signal.aborted) return
    const probe = { attemptLimit: 1, signal }
    const outcome = await attempt(() =>
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

/** Shows how a signature comes about, as it goes. */
function createSigningView({ client, linking, show }: FlowRun, connector: Connector) {
  let step: WalletStep = { connector }
  let messages = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const readWallet = () => {
    const wallet = client.wallet.get()
    if (wallet.status !== 'connected') return
    step = { ...step, account: wallet.account, chainId: wallet.chainId }
  }
  const move = (showStep: (slow: boolean) => void, delay: number) => {
    clearTimeout(timer)
    showStep(false)
    timer = setTimeout(showStep, delay, true)
  }
  const showSigning = (slow: boolean) => show({ ...step, status: 'signing', again: messages > 1, slow })

  readWallet()
  if (!step.account && !linking && connector.signIn) step = { ...step, atOnce: true }
  move(showSigning, hidden)
  return {
    step: () => step,
    stop: () => clearTimeout(timer),
    onMessage(message: string) {
      messages++
      readWallet()
      step = { ...step, message }
      move(showSigning, hidden)
    },
    onSigned(signature: string) {
      // A key's signature has 65 bytes; a contract's may have any length and is checked on its chain.
      const smart = connector.namespace === 'eip155' && signature.length !== 132
      move((slow) => show({ ...step, status: 'checking', slow, smart }), slowCheck)
    },
  }
}
