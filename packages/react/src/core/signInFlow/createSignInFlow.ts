import type { ProviderRecord, SignInOptions } from '@countersign/protocol'
import { linkWallet } from '../account/linkedWallets.ts'
import { mergeAccounts, previewAccountMerge } from '../account/mergeAccounts.ts'
import { findSecondStep, type SecondStep } from '../account/secondFactor.ts'
import type { Client } from '../client/Client.ts'
import { attempt, type Callbacks } from '../client/runAction.ts'
import { untilAborted } from '../errors/errors.ts'
import type { FarcasterSign } from '../session/FarcasterInput.ts'
import { signInWithFarcaster } from '../session/farcaster.ts'
import { getUser } from '../session/getUser.ts'
import { signInWithProvider } from '../session/providers.ts'
import { request } from '../session/request.ts'
import { requestEmailCode, signInWithEmailCode } from '../session/signInWithEmailCode.ts'
import { signInWithPasskey } from '../session/signInWithPasskey.ts'
import { type SignInWithPasswordInput, signInWithPassword } from '../session/signInWithPassword.ts'
import type { Connector } from '../state/Connector.ts'
import { createStore, type Store } from '../state/createStore.ts'
import type { WalletState } from '../state/WalletState.ts'
import type { MergePreview, Wallet } from '../values/records.ts'
import type { User } from '../values/User.ts'
import { toWalletError } from '../wallet/connection/askProvider.ts'
import { connectToSignIn, connectWallet, disconnectWallet } from '../wallet/connectWallet.ts'
import { signInWithWalletProof } from '../wallet/signInWithWallet.ts'
import { askWallet } from './askWallet.ts'
import { prepareSignIn } from './prepareSignIn.ts'
import type { FlowRun, NewAccountOffer, SignInFlowState, SignInResult, Wish } from './SignInFlowState.ts'
import { offersNewAccount, readRefusal, readWait, restartAfter, showFailure, showRestorable } from './showFailure.ts'
import { rememberLastMethod } from './signInRows.ts'

export type SignInFlowOptions = {
  /** `link` adds a wallet to the account of the signed-in user; `signIn` is the default. */
  readonly purpose?: 'signIn' | 'link'
  readonly onDone?: (user: User, outcome: SignInResult) => void
  /**
   * Linking and merging need a fresh proof of the user (`reauthenticate`). Get it, then call `goOn`; without this the refusal is
   * shown as a failure.
   */
  readonly onReauthenticate?: (goOn: () => void) => void
  /** The account asks for a second factor; without this the refusal is shown as a failure. */
  readonly onSecondFactor?: (step: SecondStep) => void
  /**
   * The path of the page that calls `takeProviderResponse`, for browsers that open no window; where the page is by
   * default.
   */
  readonly returnTo?: string
  /** Has a person's Farcaster app sign, such as in a mini app; by the relay that the operator has set unless given. */
  readonly farcaster?: FarcasterSign
}

export type SignInFlow = {
  readonly state: Store<SignInFlowState>
  /** Sign-in options of the server, once known. */
  readonly offers: Store<SignInOptions | undefined>
  /** Fetches challenges before a click, so that prompts open immediately. Call it when methods are shown. */
  readonly prepare: () => void
  /** Connects a wallet and requests a signature. Call this and the methods below only on a click. */
  readonly connect: (connector: Connector) => void
  /** Retries after a refusal or failure, from where it stopped. */
  readonly retry: () => void
  /** Has the person choose another account in the wallet, then signs with it. */
  readonly switchAccount: () => void
  /** Signs in to the account that a taken wallet belongs to. */
  readonly signInThere: () => void
  /** Proves the account of a taken wallet and shows the contents of a merge. */
  readonly previewAccountMerge: () => void
  readonly mergeAccounts: () => void
  readonly signInWithPasskey: () => void
  readonly openPassword: () => void
  readonly signInWithPassword: (input: SignInWithPasswordInput) => void
  /** Opens a window of a provider such as Google. */
  readonly signInWithProvider: (provider: ProviderRecord) => void
  readonly openEmailCode: () => void
  /** Has a code mailed. */
  readonly requestEmailCode: (email: string) => void
  /** Signs in by the code that was mailed. */
  readonly signInWithEmailCode: (code: string) => void
  /** Signs in once more as it was done last, and restores the account that was to be deleted or was lost. */
  readonly restore: () => void
  /** Signs in once more with a wallet that lost its account, or a mailed code that does not open it, and makes a new one. */
  readonly startNew: () => void
  /** Leads to the second factor of an account that a mailed code alone does not open. */
  readonly showSecondFactor: () => void
  /** Cancels the running step and offers all sign-in methods. The wallet stays connected. */
  readonly reset: (notice?: { readonly ended?: true }) => void
}

/**
 * A sign-in without a user interface: `state` is what to show, the functions are the person's actions.
 *
 * @example
 * const flow = createSignInFlow(client, { onDone: (user) => console.log(`Hello ${user.username}`) })
 * flow.state.subscribe(() => console.log(flow.state.get().status))
 * const [first] = client.connectors.get()
 * if (first) flow.connect(first)
 */
export function createSignInFlow(client: Client, options: SignInFlowOptions = {}): SignInFlow {
  const state = createStore<SignInFlowState>({ status: 'choosing' })
  const { offers, prepare } = createOffers(client)
  let controller = new AbortController()
  let working = Promise.resolve()
  let repeatLast = (_wish: Wish) => {}

  function begin(linking = options.purpose === 'link', again?: () => void, wish?: Wish): FlowRun {
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
      wish,
      signal,
      show,
      finish(way, user, given) {
        rememberLastMethod(client, way)
        if (signal.aborted) return
        const outcome = { isNew: false, linked: isLinking, ...given }
        show({ status: 'done', user, ...outcome })
        options.onDone?.(user, outcome)
      },
      askFurther(error) {
        const step = options.onSecondFactor && findSecondStep(error)
        if (!step || signal.aborted) return false
        leaveFor(step)
        return true
      },
      findOffer(error) {
        if (!offersNewAccount(error)) return undefined
        const secondStep = options.onSecondFactor && findSecondStep(error)
        return secondStep ? { secondStep } : {}
      },
      confirm() {
        if (!options.onReauthenticate || !again) return false
        const before = accountOf(client.wallet.get())
        // A user who confirmed with another account of the same wallet would continue with the wrong one.
        options.onReauthenticate(() => (accountOf(client.wallet.get()) === before ? again() : reset()))
        return true
      },
    }
  }

  /** Starts a step after the canceled one has ended: a wallet shows one prompt at a time. */
  function start(act: (run: FlowRun) => Promise<void>, linking?: boolean, wish?: Wish): void {
    repeatLast = (chosen) => start(act, linking, chosen)
    const run = begin(linking, () => start(act, linking), wish)
    working = working.then(() => (run.signal.aborted ? undefined : act(run)))
  }

  function startWallet(act: (run: FlowRun, connector: Connector) => Promise<void>, linking?: boolean): void {
    const now = state.get()
    if ('connector' in now) start((run) => act(run, now.connector), linking)
  }

  function reset({ ended }: { readonly ended?: true } = {}): void {
    begin().show(ended ? { status: 'choosing', ended } : { status: 'choosing' })
  }

  function leaveFor(step: SecondStep): void {
    reset()
    options.onSecondFactor?.(step)
  }

  return {
    state: { get: state.get, subscribe: state.subscribe },
    offers,
    prepare() {
      if (options.purpose !== 'link') prepare()
    },
    connect: (connector) => start((run) => connectStep(run, connector)),
    retry: () => startWallet((run, connector) => retryStep(run, connector, state.get())),
    switchAccount: () => startWallet(switchAccountStep),
    signInThere: () => startWallet(signStep, false),
    previewAccountMerge: () => startWallet(previewStep),
    mergeAccounts() {
      const now = state.get()
      if (now.status === 'merging') start((run) => mergeStep(run, now.connector, now.preview))
    },
    signInWithPasskey: () => start(passkeyStep),
    openPassword: () => begin().show({ status: 'password', pending: false }),
    signInWithPassword: (input) => start((run) => passwordStep(run, input)),
    signInWithProvider: (provider) => start((run) => providerStep(run, provider, options)),
    openEmailCode: () => begin().show({ status: 'emailCode', pending: false }),
    requestEmailCode: (email) => start((run) => requestCodeStep(run, email)),
    signInWithEmailCode(code) {
      const now = state.get()
      const sent = now.status === 'emailCode' ? now.sent : undefined
      if (sent) start((run) => emailCodeStep(run, sent, code, state.get()))
    },
    restore() {
      const { status } = state.get()
      if (status === 'deleted' || status === 'lost') repeatLast('restoreAccount')
    },
    startNew() {
      const now = state.get()
      const isLost = now.status === 'lost' && now.canStartNew
      const isOffered = now.status === 'emailCode' && now.newAccount && !now.pending
      if (isLost || isOffered) repeatLast('newAccount')
    },
    showSecondFactor() {
      const now = state.get()
      const step = now.status === 'emailCode' && !now.pending && now.newAccount?.secondStep
      if (step) leaveFor(step)
    },
    reset,
  }
}

/** Sign-in options of the server: asked for once, and the challenges that they need fetched. */
function createOffers(client: Client): Pick<SignInFlow, 'offers' | 'prepare'> {
  const offers = createStore<SignInOptions | undefined>(undefined)
  let isAsking = false
  return {
    offers: { get: offers.get, subscribe: offers.subscribe },
    prepare() {
      const known = offers.get()
      if (known) return void prepareSignIn(client, known)
      if (isAsking) return
      isAsking = true
      request(client, 'getSignInOptions', {})
        .then((found) => {
          offers.set(found)
          return prepareSignIn(client, found)
        })
        // It is asked again when the methods are shown again; until then they are in our own order.
        .catch(() => undefined)
        .finally(() => {
          isAsking = false
        })
    },
  }
}

function accountOf(wallet: WalletState): string | undefined {
  return wallet.status === 'connected' ? wallet.account : undefined
}

type SentCode = { readonly email: string; readonly handle: string }

type Form =
  | { readonly status: 'passkey' | 'password' }
  | { readonly status: 'provider'; readonly provider: ProviderRecord }
  | {
      readonly status: 'emailCode'
      readonly sent: SentCode
      readonly newAccount?: NewAccountOffer
    }

/** A sign-in without a wallet. */
async function formStep(
  run: FlowRun,
  method: string,
  form: Form,
  act: (callbacks: Callbacks<User>) => Promise<User | undefined>,
): Promise<void> {
  const { signal, show, finish } = run
  show({ ...form, pending: true })
  const outcome = await attempt(() => act({ signal, throwOnError: true }))
  if ('error' in outcome) {
    const { error } = outcome
    if (form.status === 'emailCode') {
      const newAccount = run.findOffer(error)
      if (newAccount) return show({ ...form, newAccount, pending: false, error })
    }
    if (run.askFurther(error) || showRestorable(run, error)) return
    show({ ...form, pending: false, error, ...(error.status === 429 && { until: readWait(error) }) })
  } else if (outcome.data) {
    finish(method, outcome.data, { isNew: run.wish === 'newAccount' })
  }
}

function passkeyStep(run: FlowRun): Promise<void> {
  return formStep(run, 'passkey', { status: 'passkey' }, (callbacks) =>
    signInWithPasskey(run.client, { ...callbacks, restoreAccount: run.wish === 'restoreAccount' }),
  )
}

function passwordStep(run: FlowRun, input: SignInWithPasswordInput): Promise<void> {
  return formStep(run, 'password', { status: 'password' }, (callbacks) =>
    signInWithPassword(run.client, { ...input, restoreAccount: run.wish === 'restoreAccount' }, callbacks),
  )
}

function providerStep(
  run: FlowRun,
  provider: ProviderRecord,
  { farcaster, returnTo }: SignInFlowOptions,
): Promise<void> {
  const { client, wish, show } = run
  const restoreAccount = wish === 'restoreAccount'
  const form = { status: 'provider', provider } as const
  const onUrl = (url: string) => show({ ...form, pending: true, url })
  const input = farcaster ? { sign: farcaster } : { onUrl }
  const { name, kind } = provider
  return formStep(run, `provider:${name}`, form, (callbacks) =>
    kind === 'farcaster'
      ? signInWithFarcaster(client, { ...input, restoreAccount }, callbacks)
      : signInWithProvider(client, { provider: name, returnTo, restoreAccount }, callbacks),
  )
}

function emailCodeStep(run: FlowRun, sent: SentCode, code: string, before: SignInFlowState): Promise<void> {
  const { client, wish } = run
  // The offer stays while it is carried out, and so does the focus on its button.
  const newAccount = wish === 'newAccount' && before.status === 'emailCode' ? before.newAccount : undefined
  const form = { status: 'emailCode', sent, ...(newAccount && { newAccount }) } as const
  return formStep(run, 'emailCode', form, (callbacks) =>
    signInWithEmailCode(client, { handle: sent.handle, code, ...(wish && { [wish]: true }) }, callbacks),
  )
}

async function requestCodeStep(run: FlowRun, email: string): Promise<void> {
  const { client, signal, show } = run
  show({ status: 'emailCode', pending: true })
  const outcome = await attempt(() => requestEmailCode(client, { email }, { signal }))
  if ('error' in outcome) {
    const { error } = outcome
    show({ status: 'emailCode', pending: false, error, ...(error.status === 429 && { until: readWait(error) }) })
  } else if (outcome.data) {
    show({ status: 'emailCode', sent: { email, handle: outcome.data.handle }, pending: false })
  }
}

function retryStep(run: FlowRun, connector: Connector, before: SignInFlowState): Promise<void> {
  const wallet = run.client.wallet.get()
  const isConnected = wallet.status === 'connected' && wallet.connector.id === connector.id
  const hasChanged = before.status === 'changed'
  return isConnected && !hasChanged ? signStep(run, connector) : connectStep(run, connector)
}

/** Asks the wallet to offer its accounts again (EIP-2255); one without support is connected from the start. */
async function switchAccountStep(run: FlowRun, connector: Connector): Promise<void> {
  const { client, signal, show } = run
  const wallet = client.wallet.get()
  const { provider, account } = wallet.status === 'connected' ? wallet : {}
  show({ status: 'connecting', connector, slow: false })
  if (provider) {
    const call = { method: 'wallet_requestPermissions', params: [{ eth_accounts: {} }] }
    const outcome = await attempt(() => untilAborted(() => provider.request(call), signal).catch(toWalletError))
    if (signal.aborted) return
    if ('data' in outcome) return connectStep(run, connector)
    if (readRefusal(outcome.error) === 'refused') {
      return show({ status: 'unsigned', connector, account, reason: 'refused' })
    }
  }
  await disconnectWallet(client, { signal, throwOnError: false })
  if (!signal.aborted) await connectStep(run, connector)
}

/** Proves the other account by the wallet, then shows the contents of the merge. */
async function previewStep(run: FlowRun, connector: Connector): Promise<void> {
  const proven = await askWallet<MergePreview>(run, connector, (input, callbacks) =>
    previewAccountMerge(run.client, input, callbacks),
  )
  if (proven) run.show({ status: 'merging', connector, preview: proven.data, pending: false })
}

async function mergeStep(run: FlowRun, connector: Connector, preview: MergePreview): Promise<void> {
  const { client, signal, show } = run
  show({ status: 'merging', connector, preview, pending: true })
  const { objectId, from } = preview
  const outcome = await attempt(() => mergeAccounts(client, { objectId }, { signal }))
  const user = getUser(client)
  if ('error' in outcome) showFailure(run, { connector }, outcome.error)
  else if (user && outcome.data) {
    const { undoUntil } = outcome.data
    run.finish(connector.id, user, { merged: { objectId, username: from.username, undoUntil } })
  }
}

/** Connects the wallet, then asks it to sign, once. A wallet that can do both by one prompt signs immediately. */
async function connectStep(run: FlowRun, connector: Connector): Promise<void> {
  const { client, linking, signal } = run
  if (connector.signIn && !linking) return signStep(run, connector)
  const stop = showConnecting(run, connector)
  const outcome = await attempt(() =>
    (linking ? connectWallet : connectToSignIn)(client, { connector }, { signal, throwOnError: true }),
  )
  stop()
  if (signal.aborted) return
  if ('error' in outcome) return showFailure(run, { connector }, outcome.error)
  await signStep(run, connector)
}

/** Shows the progress of a connection; returns a function that ends it. */
function showConnecting({ client, show }: FlowRun, connector: Connector): () => void {
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

/** Has the wallet sign in, or link itself. */
async function signStep(run: FlowRun, connector: Connector): Promise<void> {
  const { client, linking, wish } = run
  if (linking) {
    const linked = await askWallet<Wallet>(run, connector, (input, callbacks) => linkWallet(client, input, callbacks))
    const user = linked && getUser(client)
    if (user) run.finish(connector.id, user)
    return
  }
  const signedIn = await askWallet<User>(run, connector, (input, callbacks) =>
    signInWithWalletProof(client, { ...input, ...(wish && { [wish]: true }) }, callbacks),
  )
  if (!signedIn) return
  const { data: user, message } = signedIn
  run.finish(connector.id, user, { isNew: user.createdAt.getTime() >= readIssued(message) })
}

/** When the message was written, by the server's clock, as the user's dates are. */
function readIssued(message = ''): number {
  return Date.parse(/^Issued At: (\S+)$/m.exec(message)?.[1] ?? '') || Number.POSITIVE_INFINITY
}
