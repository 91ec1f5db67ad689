import { connectWallet } from '../actions/connectWallet.ts'
import type { Connector } from '../wallet/Connector.ts'
import type { FlowRun } from './FlowRun.ts'
import { settle } from './settle.ts'
import { showConnecting } from './showConnecting.ts'
import { showFailure } from './showFailure.ts'
import { signStep } from './signStep.ts'

/** Connects the wallet, then has it sign: by itself, once. One that can do both by one prompt signs at once. */
export async function connectStep(run: FlowRun, connector: Connector): Promise<void> {
  const { client, linking, signal } = run
  if (connector.signIn && !linking) return signStep(run, connector)
  const stop = showConnecting(run, connector)
  const outcome = await settle(() => connectWallet(client, { connector }, { signal, throwOnError: true }))
  stop()
  if (signal.aborted) return
  if ('error' in outcome) return showFailure(run, { connector }, outcome.error)
  await signStep(run, connector)
}
