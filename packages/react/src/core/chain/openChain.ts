import { CountersignError } from '@countersign/protocol'
import { type Address, isAddress } from 'viem'
import type { Client } from '../client/Client.ts'
import { ValidationError } from '../errors/errors.ts'
import { ProviderError, WrongChainError } from '../errors/walletErrors.ts'
import type { Eip1193Provider } from '../state/Connector.ts'
import { askProvider, requireProvider } from '../wallet/connection/askProvider.ts'
import type { ChainOptions } from './ChainOptions.ts'
import { show, toEip1193Provider } from './ethers.ts'

export type Ask = (method: string, params?: readonly unknown[]) => Promise<unknown>

export type OpenChain = {
  readonly provider: Eip1193Provider
  /** The account that was named or is connected. */
  readonly account: string | undefined
  /** Asks until the signal is aborted. Its errors keep code and data. */
  readonly listen: (signal: AbortSignal) => Ask
  /** As `listen`, with a timeout: for calls that open no prompt. */
  readonly read: (signal: AbortSignal | undefined) => Ask
}

/** The provider that a call goes to. */
export function openChain(client: Client, { provider: given, account, chainId }: ChainOptions): OpenChain {
  if (chainId !== undefined && (!Number.isSafeInteger(chainId) || chainId < 1)) {
    throw new ValidationError('chainId can only be a number type')
  }
  const provider = given === undefined ? requireProvider(client) : toEip1193Provider(given)
  const wallet = client.internal.wallet.get()
  const connected = given === undefined && wallet.status === 'connected' ? wallet.account : undefined
  const listen: OpenChain['listen'] =
    (signal) =>
    (method, params = []) =>
      askProvider(provider, method, params, signal)
  return {
    provider,
    account: account ?? connected,
    listen,
    read(signal = new AbortController().signal) {
      const ask = listen(signal)
      return (method, params) => withLimit(ask(method, params), client.internal.options.attemptTimeout ?? 20_000)
    },
  }
}

function withLimit<Answer>(answer: Promise<Answer>, milliseconds: number): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout>
  const late = new Promise<never>((_, reject) => {
    const error = () => new CountersignError('ConnectionFailed', `The node did not respond within ${milliseconds} ms.`)
    timer = setTimeout(() => reject(error()), milliseconds)
  })
  return Promise.race([answer, late]).finally(() => clearTimeout(timer))
}

/** Asks the provider itself: the page's state may be outdated. */
export async function checkChain(ask: Ask, chainId: number | undefined): Promise<void> {
  if (chainId === undefined) return
  const present = Number(await ask('eth_chainId'))
  if (present !== chainId) throw new WrongChainError(chainId, present)
}

export function requireAddress(name: string, value: unknown): Address {
  if (value === undefined || value === null || value === '') throw new ValidationError(`${name} is required`)
  if (typeof value === 'string' && isAddress(value)) return value
  throw new ValidationError(
    `${name} can only be an address`,
    `${show(value)} is not 0x and 40 hex digits, or its checksum (capital letters) is wrong. Check for a typo.`,
  )
}

/** The wallet or the node does not know the method. */
export function isUnknownMethod(error: unknown): boolean {
  const { cause } = Object(error)
  return cause instanceof ProviderError && (cause.code === 4200 || cause.code === -32601)
}
