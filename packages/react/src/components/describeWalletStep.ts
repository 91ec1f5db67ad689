import type { WalletFlowState } from '../core/signInFlow/SignInFlowState.ts'
import { shortenAddress } from '../core/wallet/shortenAddress.ts'
import type { Say } from './createSay.ts'
import { describeMerge } from './describeMerge.ts'
import { formatWait } from './formatWait.ts'
import { isTouchDevice } from './isTouchDevice.ts'
import { nameChain } from './nameChain.ts'

export type StepAction =
  | 'retry'
  | 'restart'
  | 'tryNow'
  | 'signIn'
  | 'signInAs'
  | 'switchAccount'
  | 'notNow'
  | 'otherWay'
  | 'signInThere'
  | 'previewMerge'
  | 'merge'

export type StepDescription = {
  readonly lead: string
  readonly text?: string
  /** `busy`: somebody or something is being waited for. Only `error` interrupts a screen reader. */
  readonly tone: 'busy' | 'calm' | 'error'
  /** How many of the three steps are behind. */
  readonly passed: 0 | 1 | 2
  /** The first one is the primary one. */
  readonly actions: readonly StepAction[]
}

/** A state of the wallet step in words. `seconds` are those left of a wait. */
export function describeWalletStep(say: Say, state: WalletFlowState, seconds: number): StepDescription {
  const { name, kind } = state.connector
  const hidden = kind === 'walletconnect' || isTouchDevice() ? say('hiddenApp') : say('hidden')
  const chain = nameChain(say, state.chainId)
  switch (state.status) {
    case 'connecting':
      if (kind === 'walletconnect') return { lead: say('preparingCode'), tone: 'busy', passed: 0, actions: [] }
      if (state.slow)
        return { lead: say('locked', { wallet: name }), text: hidden, tone: 'busy', passed: 0, actions: [] }
      return {
        lead: say('connecting', { wallet: name }),
        text: say('connectingHint'),
        tone: 'busy',
        passed: 0,
        actions: [],
      }
    case 'pending': {
      const actions = state.canRestart ? (['restart'] as const) : []
      const passed = state.account ? 1 : 0
      return { lead: say('pending', { wallet: name }), text: say('pendingHint'), tone: 'busy', passed, actions }
    }
    case 'refused':
      return {
        lead: say('refused'),
        text: say('refusedHint'),
        tone: 'calm',
        passed: 0,
        actions: ['retry', 'otherWay'],
      }
    case 'signing': {
      // The wallet is asked once the text is there: nobody is to look for a window that cannot be open yet.
      if (state.slow && !state.message && !state.atOnce)
        return { lead: say('checkingSlow'), tone: 'busy', passed: 1, actions: [] }
      const lead = state.again ? say('again') : say('signing', { wallet: name })
      const text = state.slow ? `${say('free')} ${hidden}` : say('free')
      return { lead, text, tone: 'busy', passed: 1, actions: [] }
    }
    case 'checking': {
      const smart = chain ? say('checkingSmartOn', { chain }) : say('checkingSmart')
      const lead = state.slow && state.smart ? smart : say('checking')
      const text = state.slow && !state.smart ? say('checkingSlow') : undefined
      return { lead, text, tone: 'busy', passed: 2, actions: [] }
    }
    case 'unsigned': {
      const isBack = state.reason === 'back'
      return {
        lead: isBack ? say('serverBack') : say('unsigned'),
        text: isBack ? say('serverBackHint') : say('unsignedHint'),
        tone: 'calm',
        passed: 1,
        actions: isBack ? ['signIn', 'notNow'] : ['signIn', 'switchAccount', 'notNow'],
      }
    }
    case 'changed': {
      const from = shortenAddress(state.from)
      const to = shortenAddress(state.account)
      const text = from && to ? say('changedHint', { from, to }) : say('changedHintShort')
      return { lead: say('changed', { wallet: name }), text, tone: 'calm', passed: 1, actions: ['signInAs', 'notNow'] }
    }
    case 'taken':
      return {
        lead: say('taken'),
        text: say('takenHint'),
        tone: 'calm',
        passed: 1,
        actions: ['signInThere', 'previewMerge', 'notNow'],
      }
    case 'merging':
      return {
        lead: say('merging'),
        text: describeMerge(say, state.preview),
        tone: state.pending ? 'busy' : 'calm',
        passed: 2,
        actions: ['merge', 'notNow'],
      }
    case 'unchecked':
      return {
        lead: say('unchecked'),
        text: chain ? say('uncheckedHintOn', { chain }) : say('uncheckedHint'),
        tone: 'error',
        passed: 1,
        actions: ['retry', 'otherWay'],
      }
    case 'offline': {
      const hint = { wallet: name, seconds }
      const text = seconds > 0 ? say('offlineHint', hint) : say('offlineHintNow', hint)
      return { lead: say('offline'), text, tone: 'error', passed: 1, actions: ['tryNow', 'otherWay'] }
    }
    case 'limited': {
      const text = seconds > 0 ? say('limitedHint', { wait: formatWait(seconds) }) : say('limitedHintNow')
      const passed = state.account ? 1 : 0
      return { lead: say('limited'), text, tone: 'error', passed, actions: ['retry', 'otherWay'] }
    }
    case 'failed': {
      const passed = state.account ? 1 : 0
      return { lead: say('failed'), text: state.error.message, tone: 'error', passed, actions: ['retry', 'otherWay'] }
    }
  }
}
