import type { Connector } from '../wallet/Connector.ts'
import type { FlowRun } from './FlowRun.ts'
import { restartAfter } from './showFailure.ts'

/** Shows how a wallet connects, as it goes; returns what ends that. */
export function showConnecting({ client, show }: FlowRun, connector: Connector): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let canRestart = false
  const follow = () => {
    const wallet = client.wallet.get()
    if (wallet.status !== 'connecting' || wallet.connector.id !== connector.id) return
    const { slow, uri, pending } = wallet
    if (!pending) return show({ status: 'connecting', connector, slow, uri })
    timer ??= setTimeout(() => {
      canRestart = true
      follow()
    }, restartAfter)
    show({ status: 'pending', connector, canRestart })
  }
  show({ status: 'connecting', connector, slow: false })
  const stop = client.wallet.subscribe(follow)
  return () => {
    clearTimeout(timer)
    stop()
  }
}
