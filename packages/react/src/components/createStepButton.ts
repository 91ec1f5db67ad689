import type { WalletFlowState } from '../core/signInFlow/SignInFlowState.ts'
import { shortenAddress } from '../core/wallet/shortenAddress.ts'
import type { StepAction } from './describeWalletStep.ts'
import type { Sheet } from './SheetContext.ts'

export type StepButton = { readonly label: string; readonly press: () => void }

/** What a button of the wallet step says and does. */
export function createStepButton(sheet: Sheet, state: WalletFlowState, action: StepAction): StepButton {
  const { flow, say, linking, close } = sheet
  const account = shortenAddress(state.account)
  const buttons: Record<StepAction, () => StepButton> = {
    retry: () => ({ label: say('tryAgain'), press: flow.retry }),
    restart: () => ({ label: say('startOver'), press: flow.retry }),
    tryNow: () => ({ label: say('tryNow'), press: flow.retry }),
    signIn: () => ({ label: linking ? say('linkWallet') : say('signIn'), press: flow.retry }),
    signInAs: () => ({
      label: linking
        ? say('linkNamed', { name: account ?? '' })
        : account
          ? say('signInAs', { account })
          : say('signIn'),
      press: flow.retry,
    }),
    switchAccount: () => ({ label: say('otherAccount'), press: flow.switchAccount }),
    signInThere: () => ({ label: say('signInThere'), press: flow.signInThere }),
    previewMerge: () => ({ label: say('mergeAsk'), press: flow.previewMerge }),
    merge: () => ({ label: say('merge'), press: flow.merge }),
    otherWay: () => ({ label: say('otherWay'), press: () => flow.reset() }),
    notNow: () => ({ label: say('notNow'), press: close }),
  }
  return buttons[action]()
}
