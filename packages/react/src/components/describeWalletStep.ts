import type { WalletFlowState } from '../core/signInFlow/SignInFlowState.ts'
import { isTouchDevice } from './isTouchDevice.ts'
import { nameChain } from './nameChain.ts'
import { shortenAddress } from './shortenAddress.ts'
import type { SheetWords } from './words.ts'

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
export function describeWalletStep(words: SheetWords, state: WalletFlowState, seconds: number): StepDescription {
  const { name, kind } = state.connector
  const hidden = kind === 'walletconnect' || isTouchDevice() ? words.hiddenApp : words.hidden
  const chain = nameChain(state.chainId)
  switch (state.status) {
    case 'connecting':
      if (kind === 'walletconnect') return { lead: words.preparingCode, tone: 'busy', passed: 0, actions: [] }
      if (state.slow) return { lead: words.locked(name), text: hidden, tone: 'busy', passed: 0, actions: [] }
      return { lead: words.connecting(name), text: words.connectingHint, tone: 'busy', passed: 0, actions: [] }
    case 'pending': {
      const actions = state.canRestart ? (['restart'] as const) : []
      const passed = state.account ? 1 : 0
      return { lead: words.pending(name), text: words.pendingHint, tone: 'busy', passed, actions }
    }
    case 'refused':
      return {
        lead: words.refused,
        text: words.refusedHint,
        tone: 'calm',
        passed: 0,
        actions: ['retry', 'otherWay'],
      }
    case 'signing': {
      const lead = state.again ? words.again : words.signing(name)
      const text = state.slow ? `${words.free} ${hidden}` : words.free
      return { lead, text, tone: 'busy', passed: 1, actions: [] }
    }
    case 'checking': {
      const lead = state.slow && state.smart ? words.checkingSmart(chain) : words.checking
      const text = state.slow && !state.smart ? words.checkingSlow : undefined
      return { lead, text, tone: 'busy', passed: 2, actions: [] }
    }
    case 'unsigned': {
      const isBack = state.reason === 'back'
      return {
        lead: isBack ? words.serverBack : words.unsigned,
        text: isBack ? words.serverBackHint : words.unsignedHint,
        tone: 'calm',
        passed: 1,
        actions: isBack ? ['signIn', 'notNow'] : ['signIn', 'switchAccount', 'notNow'],
      }
    }
    case 'changed': {
      const text = words.changedHint(shortenAddress(state.from), shortenAddress(state.account))
      return { lead: words.changed(name), text, tone: 'calm', passed: 1, actions: ['signInAs', 'notNow'] }
    }
    case 'taken':
      return {
        lead: words.taken,
        text: words.takenHint,
        tone: 'calm',
        passed: 1,
        actions: ['signInThere', 'previewMerge', 'notNow'],
      }
    case 'merging': {
      const { from, into, wallets, passkeys } = state.preview
      return {
        lead: words.merging,
        text: words.mergingHint(from.username, into.username, wallets.length, passkeys.length),
        tone: state.pending ? 'busy' : 'calm',
        passed: 2,
        actions: ['merge', 'notNow'],
      }
    }
    case 'unchecked':
      return {
        lead: words.unchecked,
        text: words.uncheckedHint(chain),
        tone: 'error',
        passed: 1,
        actions: ['retry', 'otherWay'],
      }
    case 'offline': {
      const text = words.offlineHint(name, seconds)
      return { lead: words.offline, text, tone: 'error', passed: 1, actions: ['tryNow', 'otherWay'] }
    }
    case 'limited': {
      const text = words.limitedHint(formatWait(seconds))
      const passed = state.account ? 1 : 0
      return { lead: words.limited, text, tone: 'error', passed, actions: ['retry', 'otherWay'] }
    }
    case 'failed': {
      const passed = state.account ? 1 : 0
      return { lead: words.failed, text: state.error.message, tone: 'error', passed, actions: ['retry', 'otherWay'] }
    }
  }
}

function formatWait(seconds: number): string {
  return seconds > 0 ? `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}` : ''
}
