import type { CountersignError } from '@countersign/protocol'
import type { Callbacks } from '../Callbacks.ts'
import type { Connector } from '../wallet/Connector.ts'
import { isSameAddress } from '../wallet/isSameAddress.ts'
import type { SignerInput } from '../wallet/Signer.ts'
import { createSigningView } from './createSigningView.ts'
import type { FlowRun } from './FlowRun.ts'
import { readRefusal } from './readRefusal.ts'
import { type Outcome, settle } from './settle.ts'
import { showFailure } from './showFailure.ts'

import { waitForServer } from './waitForServer.ts'

/** The core's own sentences for S22. */

type Act<Data> = (input: SignerInput, callbacks: Callbacks<Data>) => Promise<Data | undefined>

/**
 * Has a wallet sign something and shows how that goes. Answers what came of it and the text that was signed, or
 * `undefined` once a failure is shown.
 */
export async function askWallet<Data>(
  run: FlowRun,
  connector: Connector,
  act: Act<Data>,
): Promise<{ readonly data: Data; readonly message: string | undefined } | undefined> {
  const { client, signal, show } = run
  for (;;) {
    const view = createSigningView(run, connector)
    const ask = (chainId?: number): Promise<Outcome<Data>> => {
      const input = { connector, chainId, onMessage: view.onMessage, onSigned: view.onSigned }
      return settle(() => act(input, { signal, throwOnError: true }))
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
      // Whoever has seen the wallet's window is not surprised by another: that takes a click.
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

/** The account that the wallet is on now. Some tell of a change only when they are asked. */
async function findAccount({ client, signal }: FlowRun, connector: Connector, { reason }: CountersignError) {
  const wallet = client.wallet.get()
  if (wallet.status !== 'connected') return undefined
  if (reason !== 'walletAccountChanged') return wallet.account
  const link = await connector.reconnect({ signal }).catch(() => undefined)
  return link?.accounts[0] ?? wallet.account
}
