import type { CountersignError } from '@countersign/protocol'
import type { SignInFlowState, WalletFlowState } from '../../core/signInFlow/SignInFlowState.ts'
import type { MergePreview } from '../../core/values/records.ts'
import { shortenAddress } from '../../core/wallet/shortenAddress.ts'
import type { Translate } from '../i18n/createFormatter.ts'

const names = new Map<unknown, string>([
  [1, 'Ethereum'],
  [10, 'Optimism'],
  [56, 'BNB Chain'],
  [100, 'Gnosis'],
  [137, 'Polygon'],
  [324, 'ZKsync'],
  [8453, 'Base'],
  [42161, 'Arbitrum'],
  [43114, 'Avalanche'],
  [59144, 'Linea'],
  [84532, 'Base Sepolia'],
  [11155111, 'Sepolia'],
])

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
export function describeWalletStep(say: Translate, state: WalletFlowState, seconds: number): StepDescription {
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
      // The wallet prompt opens once the text is there: nobody should look for a window that cannot be open yet.
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
        actions: ['previewMerge', 'signInThere', 'notNow'],
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

/** Contents of a merge in one sentence. */
function describeMerge(say: Translate, { from, into, wallets, passkeys, identities = [] }: MergePreview): string {
  const things = [
    ...(wallets.length > 0 ? [say('mergingWallets', { count: wallets.length })] : []),
    ...(passkeys.length > 0 ? [say('mergingPasskeys', { count: passkeys.length })] : []),
    ...identities.map(({ name, provider }) => name ?? provider),
  ]
  return say('mergingHint', {
    from: from.username,
    into: into.username,
    things: things.length > 0 ? things : [say('mergingFields')],
  })
}

/** The everyday name of a chain, where it has one. */
function nameChain(say: Translate, chainId: number | string | undefined): string | undefined {
  return names.get(Number(chainId)) ?? (chainId === undefined ? undefined : say('chainNumber', { id: String(chainId) }))
}

/** A state of the passkey step in words. `seconds` are those left of a wait. */
export function describePasskeyStep(
  say: Translate,
  { error }: Extract<SignInFlowState, { status: 'passkey' }>,
  seconds: number,
): Pick<StepDescription, 'lead' | 'text' | 'tone'> {
  if (!error) return { lead: say('passkeyAsking'), text: say('passkeyAskingHint'), tone: 'busy' }
  if (error.reason === 'passkeyCancelled') {
    return { lead: say('passkeyCancelled'), text: say('passkeyCancelledHint'), tone: 'calm' }
  }
  return { lead: say('failed'), text: describeProblem(say, error, seconds), tone: 'error' }
}

/** The same of the step with a provider. */
export function describeProviderStep(
  say: Translate,
  { error, provider, url }: Extract<SignInFlowState, { status: 'provider' }>,
  seconds: number,
): Pick<StepDescription, 'lead' | 'text' | 'tone'> {
  const name = provider.label
  if (url) return { lead: say('scan'), text: say('providerScanHint', { name }), tone: 'busy' }
  if (!error) return { lead: say('providerAsking', { name }), text: say('providerAskingHint'), tone: 'busy' }
  if (error.reason === 'cancelled' || error.reason === 'providerDeclined') {
    return { lead: say('providerCancelled', { name }), text: say('refusedHint'), tone: 'calm' }
  }
  return { lead: say('failed'), text: describeProblem(say, error, seconds), tone: 'error' }
}

/** A failure in a sentence for people. The server's own is kept where it has one. */
export function describeProblem(say: Translate, error: CountersignError, seconds: number): string {
  if (error.status === 429) {
    const hint = seconds > 0 ? say('limitedHint', { wait: formatWait(seconds) }) : say('limitedHintNow')
    return `${say('limited')} ${hint}`
  }
  if (error.reason === 'serverUnreachable' || error.status >= 500) return say('unreachable')
  if (error.reason === 'passkeyUnsupported') return say('passkeyUnsupported')
  if (error.reason === 'passkeyFailed') return say('passkeyFailed')
  if (error.reason === 'invalidCredentials') return say('wrongPassword')
  // The server's sentence is the one that legacy clients look for.
  if (error.reason === 'secondFactorRequired') return say('secondFactorNeeded')
  return error.message
}

/** Minutes and seconds of a wait, in figures that every language has. */
function formatWait(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** A phone or tablet, where a wallet is an app beside the browser and a code cannot be scanned from its own screen. */
export function isTouchDevice(): boolean {
  return globalThis.matchMedia?.('(pointer: coarse) and (hover: none)').matches ?? false
}
