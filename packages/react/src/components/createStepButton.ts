import type { WalletFlowState } from '../core/signInFlow/SignInFlowState.ts'
import type { StepAction } from './describeWalletStep.ts'
import type { Sheet } from './SheetContext.ts'
import { shortenAddress } from './shortenAddress.ts'

export type StepButton = { readonly label: string; readonly press: () => void }

/** What a button of the wallet step says and does. */
export function createStepButton(sheet: Sheet, state: WalletFlowState, action: StepAction): StepButton {
  const { flow, words, linking, close } = sheet
  const account = shortenAddress(state.account)
  const buttons: Record<StepAction, () => StepButton> = {
    retry: () => ({ label: words.tryAgain, press: flow.retry }),
    restart: () => ({ label: words.startOver, press: flow.retry }),
    tryNow: () => ({ label: words.tryNow, press: flow.retry }),
    signIn: () => ({ label: linking ? words.linkWallet : words.signIn, press: flow.retry }),
    signInAs: () => ({
      label: linking ? words.linkNamed(account ?? '') : words.signInAs(account),
      press: flow.retry,
    }),
    switchAccount: () => ({ label: words.otherAccount, press: flow.switchAccount }),
    signInThere: () => ({ label: words.signInThere, press: flow.signInThere }),
    previewMerge: () => ({ label: words.mergeAsk, press: flow.previewMerge }),
    merge: () => ({ label: words.merge, press: flow.merge }),
    otherWay: () => ({ label: words.otherWay, press: () => flow.reset() }),
    notNow: () => ({ label: words.notNow, press: close }),
  }
  return buttons[action]()
}
