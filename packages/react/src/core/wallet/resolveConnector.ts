import type { Client } from '../Client.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import { untilAborted } from '../untilAborted.ts'
import type { Connector, ConnectorKind } from './Connector.ts'
import { discoverWallets } from './discoverWallets.ts'
import { missingWallet } from './missingWallet.ts'
import { moveWallet } from './moveWallet.ts'
import { providerWait } from './providerWait.ts'
import { findRememberedWallet } from './rememberedWallet.ts'
import { waitForConnector } from './waitForConnector.ts'

/** The names of R13 beside the ids of connectors, and what kind of connector each stands for. */
const aliases: Readonly<Record<string, ConnectorKind>> = {
  injected: 'injected',
  walletconnect: 'walletconnect',
  wc: 'walletconnect',
  network: 'network',
  magicLink: 'magicLink',
  web3Auth: 'web3Auth',
  demo: 'demo',
}

/** The connector that a caller means. One that lives in the browser is waited for, 3000 ms at most (R14). */
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
    if (!signal.aborted) moveWallet(client, { error })
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
  if (kind) throw missingWallet(`No wallet made itself known in this browser within ${providerWait} ms.`)
  if (name === 'phantom')
    throw new ValidationError('Phantom wallet not available', 'Install it, or unlock its browser.')
  throw new ValidationError(`There is no wallet ${JSON.stringify(name)} here.`, `Aliases: ${Object.keys(aliases)}.`)
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
    'Make it and give it to createClient({ connectors: […] }).',
  )
}
