import type { Abi } from 'viem'
import type { Client } from '../client/Client.ts'
import type { Reading, ReadingParts } from '../readings/createReading.ts'
import { defineReading } from '../readings/defineReading.ts'
import { missingWallet } from '../wallet/proof/missingWallet.ts'
import type { ChainOptions } from './ChainOptions.ts'
import type { FunctionName, FunctionResult, ReadContractInput, Reads } from './ContractInput.ts'
import { findNode } from './findNode.ts'
import { readContract } from './readContract.ts'

type Question = { readonly input: ReadContractInput | undefined; readonly provider: number | undefined }

const contractReading = defineReading<Question, unknown>(
  ({ input, provider }) => ({ contract: input ? describe(input, provider) : null }),
  ({ input }, client) =>
    chainParts(client, input, async (client, options) => input && readContract(client, input, options)),
)

/** Reading of a contract function; read again when the wallet, its account or its chain changes. */
export function getContractReading<
  Interface extends Abi | readonly unknown[],
  Name extends FunctionName<Interface, Reads>,
>(client: Client, given: ReadContractInput<Interface, Name> | undefined): Reading<FunctionResult<Interface, Name>> {
  const input = given as unknown as ReadContractInput | undefined
  const reading = contractReading(client, { input, provider: input?.provider && numberOf(client, input.provider) })
  return reading as Reading<FunctionResult<Interface, Name>>
}

/** Providers have no name of their own, so that each gets a number. */
export function numberOf({ internal }: Client, provider: object): number {
  const known = internal.providerIds.get(provider) ?? ++internal.providerCount
  internal.providerIds.set(provider, known)
  return known
}

function describe({ provider: _, abi, ...rest }: ReadContractInput, provider: number | undefined): object {
  const [name] = String(rest.functionName).split('(')
  // Only the used part of the ABI: it is large, and the key is compared at every render.
  const used = Array.isArray(abi) && abi.filter((item) => item?.name === name || item?.type === 'error')
  return { ...rest, abi: used, '#provider': provider }
}

/** Parts of a reading of a chain: it belongs to the wallet, its account and its chain, or to the node in use. */
export function chainParts<Data>(
  client: Client,
  input: Pick<ChainOptions, 'provider' | 'chainId'> | undefined,
  read: ReadingParts<Data>['read'],
): ReadingParts<Data> {
  return {
    read,
    owner() {
      if (!input || input.provider) return input && 'provider'
      const node = findNode(client, input.chainId)
      if (node) return `node ${node.id}`
      const wallet = client.internal.wallet.get()
      if (wallet.status !== 'connected' || !wallet.provider) return undefined
      return [wallet.connector.id, wallet.chainId, wallet.account].join()
    },
    whyNot() {
      const { status } = client.internal.wallet.get()
      const isWaiting = !input || status === 'connecting' || status === 'reconnecting'
      return isWaiting
        ? undefined
        : missingWallet('Connect a wallet first, pass a provider, or configure the chain in `chains`.')
    },
    // A provider of one's own needs no wallet layer, and subscribing to the wallet starts it.
    sources: input && !input.provider ? [client.wallet] : [],
  }
}
