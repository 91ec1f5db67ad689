import type { Client } from '../../client/Client.ts'
import { sleep, toCountersignError, untilAborted, ValidationError } from '../../errors/errors.ts'
import { hasEvents } from '../../platform/platform.ts'
import type { Connector, ConnectorKind } from '../../state/Connector.ts'
import { findRememberedWallet } from '../connection/rememberedWallet.ts'
import { updateWalletState } from '../connection/updateWalletState.ts'
import { createDemoConnector } from '../connectors/createDemoConnector.ts'
import { createEip1193Connector } from '../connectors/createEip1193Connector.ts'
import { createInjectedConnector, providerWait } from '../connectors/createInjectedConnector.ts'
import { createNetworkConnector } from '../connectors/createNetworkConnector.ts'
import { missingWallet } from '../proof/missingWallet.ts'
import { waitForEthereum } from './waitForEthereum.ts'
import { readAnnouncement, watchStandardWallets } from './watchStandardWallets.ts'

/** More than any browser holds; a page that announces without end is not followed. */
const limit = 50

/** Maintains the list of connectors while the page lives, without prompts or requests. */
export function discoverWallets(client: Client): void {
  const { internal } = client
  if (internal.showConnectors) return
  const { options } = internal
  let announced: readonly Connector[] = []
  let standard: readonly Connector[] = []
  let legacy: Connector | undefined
  let demo: Connector | undefined
  let demoChains: typeof options.demoChains
  // Its chains may arrive with the runtime configuration, after the first look.
  const findDemo = () => {
    const chains = options.demoChains ?? options.chains
    if (!demo || chains !== demoChains) demo = createDemoConnector({ storage: options.storage, chains })
    demoChains = chains
    return demo
  }
  const network = options.chains?.length ? createNetworkConnector({ chains: options.chains }) : undefined

  internal.showConnectors = () => {
    const found = [
      ...(options.connectors ?? []),
      ...announced,
      // A wallet that announces itself is there under its own name already.
      ...(legacy && announced.length === 0 ? [legacy] : []),
      ...standard,
      ...(network ? [network] : []),
      ...(options.demoWallet ? [findDemo()] : []),
    ]
    internal.connectors.set(found.filter(({ id }, index) => found.findIndex((one) => one.id === id) === index))
  }
  internal.showConnectors()
  if (!hasEvents()) return
  watchAnnouncedWallets((connector) => {
    announced = [...announced, connector]
    internal.showConnectors?.()
  })
  watchStandardWallets((connectors) => {
    standard = connectors
    internal.showConnectors?.()
  })
  void waitForEthereum(providerWait).then((provider) => {
    if (!provider) return
    legacy = createInjectedConnector()
    internal.showConnectors?.()
  })
}

/**
 * Finds the browser's wallets by EIP-6963, also late ones. The first to claim a reverse domain name gets it as id.
 * Another with the same claim is shown beside it with a different id: it cannot replace the first, and is not
 * reconnected in its name.
 */
function watchAnnouncedWallets(listener: (connector: Connector) => void): () => void {
  const known = new Map<string, string>()
  const hear = (event: Event) => {
    const heard = readAnnouncement((event as CustomEvent<unknown>).detail)
    if (!heard || known.has(heard.uuid) || known.size >= limit) return
    const { uuid, rdns, name, icon, provider } = heard
    const isCopy = [...known.values()].includes(rdns)
    known.set(uuid, rdns)
    const info = { id: isCopy ? `${rdns}#${uuid}` : rdns, kind: 'injected' as const, name, icon, rdns }
    listener(createEip1193Connector(info, async () => provider))
  }
  window.addEventListener('eip6963:announceProvider', hear)
  window.dispatchEvent(new Event('eip6963:requestProvider'))
  return () => window.removeEventListener('eip6963:announceProvider', hear)
}

/** Aliases beside the ids of connectors, with their kind. */
const aliases: Readonly<Record<string, ConnectorKind>> = {
  injected: 'injected',
  walletconnect: 'walletconnect',
  wc: 'walletconnect',
  network: 'network',
  magicLink: 'magicLink',
  web3Auth: 'web3Auth',
  demo: 'demo',
}

/** The connector that a caller names. One in the browser is waited for, 3000 ms at most. */
export async function resolveConnector(
  client: Client,
  given: Connector | string | undefined,
  signal: AbortSignal,
): Promise<Connector> {
  if (typeof given === 'object') return given
  try {
    return await look(client, given, signal)
  } catch (cause) {
    const error = toCountersignError(cause)
    if (!signal.aborted) updateWalletState(client, { error })
    throw error
  }
}

async function look(client: Client, given: string | undefined, signal: AbortSignal): Promise<Connector> {
  discoverWallets(client)
  const name = given ?? 'injected'
  const find = (list: readonly Connector[]) => choose(client, list, name)
  const present = find(client.internal.connectors.get())
  if (present) return present
  const kind = aliases[name]
  if (kind && kind !== 'injected') throw notSetUp(name)
  const found = await untilAborted(() => waitForConnector(client, find, providerWait), signal)
  if (found) return found
  if (kind) throw missingWallet(`No wallet was found in this browser within ${providerWait} ms.`)
  if (name === 'phantom')
    throw new ValidationError('Phantom wallet not available', 'Install it, or unlock its browser.')
  throw new ValidationError(`Unknown wallet ${JSON.stringify(name)}.`, `Aliases: ${Object.keys(aliases)}.`)
}

function choose(client: Client, list: readonly Connector[], name: string): Connector | undefined {
  const kind = aliases[name]
  if (name === 'phantom') return list.find((one) => one.namespace === 'solana' && /^phantom$/i.test(one.name))
  if (!kind) return list.find(({ id }) => id === name)
  const fitting = list.filter((one) => one.kind === kind)
  const last = findRememberedWallet(client)?.id
  return fitting.find(({ id }) => id === last) ?? fitting[0]
}

function notSetUp(name: string): ValidationError {
  return new ValidationError(
    `The connector ${name} is not set up.`,
    'Create it and pass it to createClient({ connectors: […] }).',
  )
}

/** The connector that is looked for, as soon as it is there; none if it does not come in time. */
export async function waitForConnector(
  { internal }: Client,
  find: (list: readonly Connector[]) => Connector | undefined,
  milliseconds: number,
  signal?: AbortSignal,
): Promise<Connector | undefined> {
  const present = find(internal.connectors.get())
  if (present) return present
  const enough = new AbortController()
  const end = () => enough.abort()
  signal?.addEventListener('abort', end, { once: true })
  let found: Connector | undefined
  const stop = internal.connectors.subscribe(() => {
    found = find(internal.connectors.get())
    if (found) enough.abort()
  })
  await sleep(milliseconds, enough.signal)
  stop()
  signal?.removeEventListener('abort', end)
  return found
}
