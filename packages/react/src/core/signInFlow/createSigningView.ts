import type { Connector } from '../wallet/Connector.ts'
import type { FlowRun } from './FlowRun.ts'
import type { WalletStep } from './SignInFlowState.ts'

/** Milliseconds until the wallet's window is taken for hidden, and until a check counts as slow. */
const hidden = 5000
const slowCheck = 1500

/** Shows how a signature comes about, as it goes. */
export function createSigningView({ client, linking, show }: FlowRun, connector: Connector) {
  let step: WalletStep = { connector }
  let messages = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  const readWallet = () => {
    const wallet = client.wallet.get()
    if (wallet.status !== 'connected') return
    step = { ...step, account: wallet.account, chainId: wallet.chainId }
  }
  const move = (showStep: (slow: boolean) => void, patience: number) => {
    clearTimeout(timer)
    showStep(false)
    timer = setTimeout(showStep, patience, true)
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
