import { type LogInInput, logIn } from '../actions/logIn.ts'
import { signInWithPasskey } from '../actions/signInWithPasskey.ts'
import type { Client } from '../Client.ts'
import { createStore } from '../createStore.ts'
import type { Store } from '../Store.ts'
import type { User } from '../User.ts'
import type { Connector } from '../wallet/Connector.ts'
import type { WalletState } from '../wallet/WalletState.ts'
import { connectStep } from './connectStep.ts'
import type { FlowOutcome } from './FlowOutcome.ts'
import type { FlowRun } from './FlowRun.ts'
import { formStep } from './formStep.ts'
import { keepLastWayIn } from './lastWayIn.ts'
import { mergeStep, previewStep } from './mergeStep.ts'
import type { SignInFlowState } from './SignInFlowState.ts'
import { signStep } from './signStep.ts'
import { switchAccountStep } from './switchAccountStep.ts'

export type SignInFlowOptions = {
  /** `link` adds a wallet to the account of whoever is signed in; `signIn` is the default. */
  readonly purpose?: 'signIn' | 'link'
  readonly onDone?: (user: User, outcome: FlowOutcome) => void
  /**
   * Linking and merging need a fresh proof of the user (`stepUp`). Get it, then call `goOn`; without this the refusal is
   * shown as a failure.
   */
  readonly onStepUp?: (goOn: () => void) => void
}

export type SignInFlow = {
  readonly state: Store<SignInFlowState>
  /** Connects a wallet and has it sign. Called by a click only, as all that follows. */
  readonly connect: (connector: Connector) => void
  /** Tries again what was refused or failed, from where it stopped. */
  readonly retry: () => void
  /** Has the person choose another account in the wallet, then signs with it. */
  readonly switchAccount: () => void
  /** Leaves one's own account for the one that a taken wallet belongs to. */
  readonly signInThere: () => void
  /** Proves the account of a taken wallet and shows what a merge would move. */
  readonly previewMerge: () => void
  readonly merge: () => void
  readonly signInWithPasskey: () => void
  readonly openPassword: () => void
  readonly logIn: (input: LogInInput) => void
  /** Signs in once more as it was done last, and keeps the account that was to be deleted. */
  readonly restore: () => void
  /** Cancels what is under way and offers all ways in. The wallet stays connected. */
  readonly reset: (notice?: { readonly ended?: true }) => void
}

/**
 * The way through a sign-in, without a look: what to show is in `state`, what a person may do are the functions.
 *
 * @example
 * const flow = createSignInFlow(client, { onDone: (user) => console.log(`Hello ${user.username}`) })
 * flow.state.subscribe(() => console.log(flow.state.get().status))
 * flow.connect(client.connectors.get()[0])
 */
export function createSignInFlow(client: Client, options: SignInFlowOptions = {}): SignInFlow {
  const state = createStore<SignInFlowState>({ status: 'choosing' })
  let controller = new AbortController()
  let working = Promise.resolve()
  let restoreLast = () => {}

  function begin(linking = options.purpose === 'link', again?: () => void, restores = false): FlowRun {
    controller.abort()
    controller = new AbortController()
    const { signal } = controller
    const show = (next: SignInFlowState) => {
      if (!signal.aborted) state.set(next)
    }
    const isLinking = linking && 'user' in client.session.get()
    return {
      client,
      linking: isLinking,
      restores,
      signal,
      show,
      finish(way, user, given) {
        keepLastWayIn(client, way)
        if (signal.aborted) return
        const outcome = { isNew: false, linked: isLinking, ...given }
        show({ status: 'done', user, ...outcome })
        options.onDone?.(user, outcome)
      },
      confirm() {
        if (!options.onStepUp || !again) return false
        const before = accountOf(client.wallet.get())
        // Whoever confirmed by another account of the same wallet would go on with the wrong one.
        options.onStepUp(() => (accountOf(client.wallet.get()) === before ? again() : reset()))
        return true
      },
    }
  }

  /** What was cancelled is over before the next begins: a wallet is asked one thing at a time. */
  function start(act: (run: FlowRun) => Promise<void>, linking?: boolean, restores?: boolean): void {
    restoreLast = () => start(act, linking, true)
    const run = begin(linking, () => start(act, linking), restores)
    working = working.then(() => (run.signal.aborted ? undefined : act(run)))
  }

  function startWallet(act: (run: FlowRun, connector: Connector) => Promise<void>, linking?: boolean): void {
    const now = state.get()
    if ('connector' in now) start((run) => act(run, now.connector), linking)
  }

  function retry(run: FlowRun, connector: Connector): Promise<void> {
    const wallet = client.wallet.get()
    const isConnected = wallet.status === 'connected' && wallet.connector.id === connector.id
    const hasChanged = state.get().status === 'changed'
    return isConnected && !hasChanged ? signStep(run, connector) : connectStep(run, connector)
  }

  function reset({ ended }: { readonly ended?: true } = {}): void {
    begin().show(ended ? { status: 'choosing', ended } : { status: 'choosing' })
  }

  return {
    state: { get: state.get, subscribe: state.subscribe },
    connect: (connector) => start((run) => connectStep(run, connector)),
    retry: () => startWallet(retry),
    switchAccount: () => startWallet(switchAccountStep),
    signInThere: () => startWallet(signStep, false),
    previewMerge: () => startWallet(previewStep),
    merge() {
      const now = state.get()
      if (now.status === 'merging') start((run) => mergeStep(run, now.connector, now.preview))
    },
    signInWithPasskey: () =>
      start((run) =>
        formStep(run, 'passkey', (callbacks) =>
          signInWithPasskey(client, { ...callbacks, restoreAccount: run.restores }),
        ),
      ),
    openPassword: () => begin().show({ status: 'password', pending: false }),
    logIn: (input) =>
      start((run) =>
        formStep(run, 'password', (callbacks) => logIn(client, { ...input, restoreAccount: run.restores }, callbacks)),
      ),
    restore() {
      if (state.get().status === 'deleted') restoreLast()
    },
    reset,
  }
}

function accountOf(wallet: WalletState): string | undefined {
  return wallet.status === 'connected' ? wallet.account : undefined
}
