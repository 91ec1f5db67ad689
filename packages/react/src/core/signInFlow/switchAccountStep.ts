import { disconnectWallet } from '../actions/disconnectWallet.ts'
import { untilAborted } from '../untilAborted.ts'
import type { Connector } from '../wallet/Connector.ts'
import { toWalletError } from '../wallet/toWalletError.ts'
import { connectStep } from './connectStep.ts'
import type { FlowRun } from './FlowRun.ts'
import { readRefusal } from './readRefusal.ts'
import { settle } from './settle.ts'

/** Has the wallet offer its accounts anew (EIP-2255); one that cannot is connected from the start. */
export async function switchAccountStep(run: FlowRun, connector: Connector): Promise<void> {
  const { client, signal, show } = run
  const wallet = client.wallet.get()
  const { provider, account } = wallet.status === 'connected' ? wallet : {}
  show({ status: 'connecting', connector, slow: false })
  if (provider) {
    const call = { method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] }
    const outcome = await settle(() => untilAborted(() => provider.request(call), signal).catch(toWalletError))
    if (signal.aborted) return
    if ('data' in outcome) return connectStep(run, connector)
    if (readRefusal(outcome.error) === 'refused') {
      return show({ status: 'unsigned', connector, account, reason: 'refused' })
    }
  }
  await disconnectWallet(client, { signal, throwOnError: false })
  if (!signal.aborted) await connectStep(run, connector)
}
