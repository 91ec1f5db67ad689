import { type ChallengePurpose, CountersignError } from '@countersign/protocol'
import type { Client, Prompt } from '../../client/Client.ts'
import { requireString } from '../../client/guards.ts'
import { untilAborted, ValidationError } from '../../errors/errors.ts'
import { ProviderError } from '../../errors/walletErrors.ts'
import { request } from '../../session/request.ts'
import type { Chain, ConnectOptions, Connector, ConnectorKind, Signer, SignInFields } from '../../state/Connector.ts'
import type { ConnectedWallet } from '../../state/WalletState.ts'
import { providerWait } from '../connectors/createInjectedConnector.ts'
import { discoverWallets, resolveConnector, waitForConnector } from '../discovery/discoverWallets.ts'
import { missingWallet } from '../proof/missingWallet.ts'
import { openPrompt } from '../proof/openPrompt.ts'
import { type ChosenSigner, findOpenSigner } from '../proof/readSigner.ts'
import { changedAccount, checkMessage, isMessageOf, signText } from '../proof/signText.ts'
import { isExpired, type WalletProof } from '../proof/WalletProof.ts'
import { askProvider, isSameAddress, requireProvider } from './askProvider.ts'
import { adoptLink, openWallet } from './openWallet.ts'
import { findRememberedWallet, forgetWallet } from './rememberedWallet.ts'
import { updateWalletState } from './updateWalletState.ts'

/** Proof to make: its purpose, and the wallet. */
type ProofWish = Pick<Prompt, 'signal'> & { readonly purpose: ChallengePurpose; readonly chosen: ChosenSigner }

/** Asks the wallet to sign the server's message and submits it. An expired one is fetched again, once. */
async function proveWallet<Answer>(
  client: Client,
  wish: ProofWish,
  handIn: (proof: WalletProof) => Promise<Answer>,
): Promise<Answer> {
  const signAndHandIn = async () => {
    const proof = await prove(client, wish)
    wish.chosen.onSigned?.(proof.signature)
    return handIn(proof)
  }
  try {
    return await signAndHandIn()
  } catch (error) {
    if (!(error instanceof CountersignError) || !isExpired(error)) throw error
  }
  return signAndHandIn()
}

async function prove(client: Client, wish: ProofWish): Promise<WalletProof> {
  const { chosen, signal } = wish
  if (chosen.signer) return sign(client, wish, chosen.signer, chosen.shown)
  const connector = await resolveConnector(client, chosen.connector, signal)
  const ahead = wish.purpose === 'signIn' && takeSignedAhead(client, connector)
  if (ahead) {
    chosen.onMessage?.(ahead.message)
    return ahead
  }
  const known = findOpenSigner(client, connector)
  if (known) return sign(client, wish, known.signer, known.shown)
  if (connector.signIn) return signInAtOnce(client, wish, connector, connector.signIn)
  const options = { signal, onUri: chosen.onUri }
  const { signer, accounts } = await (wish.purpose === 'signIn' ? connectAhead : connectPlain)(
    client,
    connector,
    options,
  )
  const signed = wish.purpose === 'signIn' && takeSignedAhead(client, connector)
  if (signed) {
    chosen.onMessage?.(signed.message)
    return signed
  }
  if (!signer) {
    throw new CountersignError('OperationForbidden', `${connector.name} is read-only and cannot sign.`, {
      details: 'Connect a wallet that can sign.',
    })
  }
  return sign(client, wish, signer, accounts[0])
}

const connectPlain = (client: Client, connector: Connector, options: ConnectOptions & Pick<Prompt, 'signal'>) =>
  openWallet(client, connector, options, async (asked) => ({ link: await connector.connect(asked) }))

/**
 * Connects, and signs in by the same prompt if the wallet can and a challenge is ready: nothing is fetched between a
 * click and its prompt. The client keeps the signature for the sign-in that follows.
 */
async function connectAhead(client: Client, connector: Connector, options: ConnectOptions & Pick<Prompt, 'signal'>) {
  const fields = connector.namespace === 'eip155' ? client.internal.prepared?.take('eip155') : undefined
  if (fields) checkFields(fields)
  const open = await connectPlain(client, connector, fields ? { ...options, signIn: fields } : options)
  const { signed } = open.link
  // Any other text is useless: the server would reject it.
  if (fields && signed && isMessageOf(signed.message, fields, signed.address)) {
    client.internal.signedAhead = { ...signed, link: open.link }
  }
  return open
}

/** Takes the signature that the connected wallet made while connecting, once. */
function takeSignedAhead({ internal }: Client, connector: Connector): WalletProof | undefined {
  const { signedAhead: ahead, walletParts } = internal
  internal.signedAhead = undefined
  const { open } = walletParts
  if (!ahead || open?.link !== ahead.link || open.connector.id !== connector.id) return undefined
  // The person may have changed the account since.
  if (!isSameAddress('eip155', open.accounts[0], ahead.address)) return undefined
  return { message: ahead.message, signature: ahead.signature }
}

async function sign(client: Client, wish: ProofWish, signer: Signer, shown?: string): Promise<WalletProof> {
  const { chosen, purpose, signal } = wish
  const { namespace } = signer
  return signText(signer, { shown, signal }, async ({ address, chainId }) => {
    const wanted = { purpose, namespace, address, chainId: chosen.chainId ?? chainId }
    const { message } = await request(client, 'createChallenge', wanted, { signal })
    checkMessage(message, namespace, address)
    chosen.onMessage?.(message)
    return message
  })
}

/** One prompt for both. The wallet writes the text, so its claims are read from the signed text. */
async function signInAtOnce(
  client: Client,
  { chosen, purpose, signal }: ProofWish,
  connector: Connector,
  signIn: NonNullable<Connector['signIn']>,
): Promise<WalletProof> {
  const { namespace } = connector
  const wanted = { purpose, namespace, chainId: chosen.chainId }
  const isPlain = purpose === 'signIn' && chosen.chainId === undefined
  const fields =
    (isPlain ? client.internal.prepared?.take(namespace) : undefined) ??
    (await request(client, 'createChallenge', wanted, { signal })).fields
  checkFields(fields)
  const { message, signature, accounts, address } = await openWallet(
    client,
    connector,
    { signal, onUri: chosen.onUri },
    (asked) => signIn(asked, fields),
  )
  checkMessage(message, namespace, address)
  if (!isSameAddress(namespace, accounts[0], address)) {
    throw changedAccount()
  }
  chosen.onMessage?.(message)
  return { message, signature }
}

/** As `checkMessage`, for a wallet that writes the text itself: refuses parts that are not for this page. */
function checkFields({ domain, uri }: SignInFields): void {
  const page = globalThis.window?.location
  if (!page?.host || (domain === page.host && uri === page.origin)) return
  throw new CountersignError('OperationForbidden', 'The server asked for a signature that is not for this page.', {
    details: `Expected a message for ${page.host}, received one for ${JSON.stringify(domain)}.`,
  })
}

/** Kinds whose SDK has to be fetched, and then to find its way to its relay or its server; and how long that may take. */
const fetched: readonly ConnectorKind[] = ['walletconnect', 'magicLink', 'web3Auth']

const fetchedWait = 10_000

/** Connects the wallet used last again, if it still shares an account. It never opens a window, and never fails. */
async function resumeWallet(client: Client): Promise<void> {
  const { internal } = client
  if (internal.reconnecting || internal.walletParts.open || internal.walletParts.attempt) return
  discoverWallets(client)
  const last = findRememberedWallet(client)
  if (!last?.connected) return updateWalletState(client, {})
  const controller = new AbortController()
  const { signal } = controller
  internal.reconnecting = controller
  updateWalletState(client, { attempt: { silent: true } })
  // A wallet that is waited for keeps 'reconnecting' on show, so that nothing flashes by as disconnected.
  let timer = setTimeout(() => controller.abort(), providerWait)
  try {
    const connector = await waitForConnector(
      client,
      (list) => list.find(({ id }) => id === last.id),
      providerWait,
      signal,
    )
    if (!connector || signal.aborted) return
    // Two that claim the same name: which of them it was is for the person to say.
    const claimants = internal.connectors.get().filter(({ rdns }) => rdns !== undefined && rdns === connector.rdns)
    if (claimants.length > 1) return
    updateWalletState(client, { attempt: { silent: true, connector } })
    if (fetched.includes(connector.kind)) {
      clearTimeout(timer)
      timer = setTimeout(() => controller.abort(), fetchedWait)
    }
    const link = await untilAborted(() => connector.reconnect({ signal }), signal)
    if (link) adoptLink(client, connector, link)
  } catch {
    // It is not there, or will not: then it is disconnected, which is no fault.
  } finally {
    clearTimeout(timer)
    internal.reconnecting = undefined
    // A click in between has started its own attempt.
    const { walletParts } = internal
    if (walletParts.attempt?.silent) updateWalletState(client, { attempt: undefined })
  }
}

/** Asks the connected wallet to switch to a chain, and adds the chain first if the wallet lacks it. */
async function askToSwitch(client: Client, chainId: number, signal: AbortSignal | undefined): Promise<void> {
  if (!Number.isSafeInteger(chainId) || chainId < 1) throw new ValidationError('chainId can only be a number type')
  const provider = requireProvider(client)
  await openPrompt(client, ['switchChain', chainId], signal, async (prompt) => {
    const ask = (method: string, parameter: object) => askProvider(provider, method, [parameter], prompt.signal)
    const wanted = { chainId: `0x${chainId.toString(16)}` }
    try {
      await ask('wallet_switchEthereumChain', wanted)
    } catch (error) {
      const chain = client.internal.options.chains?.find(({ id }) => id === chainId)
      if (!isUnknownChain(error) || !chain) throw error
      await ask('wallet_addEthereumChain', toChainParameter(chain))
      await ask('wallet_switchEthereumChain', wanted)
    }
  })
}

function isUnknownChain(error: unknown): boolean {
  const { cause } = Object(error)
  if (!(cause instanceof ProviderError)) return false
  return cause.code === 4902 || Object(Object(cause.data).originalError).code === 4902
}

/** Finds the connector that is meant and connects its wallet. */
async function connectChosen(
  client: Client,
  given: Connector | string | undefined,
  { signsIn = false, ...options }: ConnectOptions & { readonly signal: AbortSignal; readonly signsIn?: boolean },
): Promise<ConnectedWallet> {
  const connector = await resolveConnector(client, given, options.signal)
  await (signsIn ? connectAhead : connectPlain)(client, connector, options)
  const state = client.internal.wallet.get()
  if (state.status !== 'connected') throw missingWallet('The wallet disconnected immediately.')
  return state
}

/** Has the connected wallet sign a text that the application wrote. */
async function askToSign(client: Client, message: string, signal: AbortSignal | undefined): Promise<string> {
  requireString('message', message)
  const open = findOpenSigner(client)
  if (!open) throw missingWallet()
  const { signer, shown } = open
  return openPrompt(client, ['signMessage', signer, message], signal, async (prompt) => {
    const { signature } = await signText(signer, { shown, signal: prompt.signal }, async () => message)
    return signature
  })
}

/** Asks the connected wallet to take up a chain (EIP-3085). */
async function askForChain(client: Client, chain: Chain, signal: AbortSignal | undefined): Promise<void> {
  const parameter = toChainParameter(chain)
  const provider = requireProvider(client)
  await openPrompt(client, ['addChain', chain.id], signal, (prompt) =>
    askProvider(provider, 'wallet_addEthereumChain', [parameter], prompt.signal),
  )
}

/** Disconnects the wallet in use, and asks it to revoke its permission if it can. */
async function quitWallet(client: Client): Promise<void> {
  const { internal } = client
  internal.reconnecting?.abort()
  forgetWallet(client)
  const { open } = internal.walletParts
  open?.stop()
  updateWalletState(client, { open: undefined, error: undefined })
  await open?.link.disconnect()
}

/** Lets the wallet go without taking its permission back, so that it need not be given again at the next sign-in. */
function leaveWallet(client: Client): void {
  client.internal.reconnecting?.abort()
  forgetWallet(client)
  client.internal.walletParts.open?.stop()
  updateWalletState(client, { open: undefined, error: undefined })
}

/** Finds wallets and reconnects the last used one, without a prompt. */
async function startWalletLayer(client: Client): Promise<void> {
  discoverWallets(client)
  await resumeWallet(client)
}

/** Wallet operations in one chunk, loaded by one request. */
export const walletLayer = {
  askForChain,
  askToSign,
  askToSwitch,
  connectChosen,
  leaveWallet,
  proveWallet,
  quitWallet,
  resumeWallet,
  startWalletLayer,
}

/** A chain in the form of EIP-3085, checked first: wallets handle an invalid one in any way. */
function toChainParameter({ id, name, nativeCurrency, rpcUrls, blockExplorerUrls }: Chain): object {
  if (!Number.isSafeInteger(id) || id < 1) throw new ValidationError('id of a chain can only be a positive number')
  if (!name || !nativeCurrency?.symbol || !Array.isArray(rpcUrls) || rpcUrls.length === 0) {
    throw new ValidationError('A chain needs name, nativeCurrency and rpcUrls')
  }
  return {
    chainId: `0x${id.toString(16)}`,
    chainName: name,
    nativeCurrency,
    rpcUrls,
    ...(blockExplorerUrls && { blockExplorerUrls }),
  }
}
