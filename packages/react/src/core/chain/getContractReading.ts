import type { Abi } from 'viem'
import {
  type FunctionAnswer,
  type FunctionName,
  type ReadContractInput,
  type Reads,
  readContract,
} from '../actions/readContract.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'
import { shareReading } from '../documents/shareReading.ts'
import { missingWallet } from '../wallet/missingWallet.ts'

const providers = new WeakMap<object, number>()
let providerCount = 0

/** The one reading of a contract that all hooks of a client share which ask the same. */
export function getContractReading<
  Interface extends Abi | readonly unknown[],
  Name extends FunctionName<Interface, Reads>,
>(client: Client, input: ReadContractInput<Interface, Name> | undefined): Reading<FunctionAnswer<Interface, Name>> {
  return shareReading(
    client,
    () => ({ contract: input ? describe(input as unknown as ReadContractInput) : null }),
    () => createContractReading(client, input),
  )
}

function describe({ provider, abi, ...rest }: ReadContractInput): object {
  if (provider && !providers.has(provider)) providers.set(provider, ++providerCount)
  const [name] = String(rest.functionName).split('(')
  // All that decides about the answer: an ABI is large, and what is asked is compared at every render.
  const used = Array.isArray(abi) && abi.filter((item) => item?.name === name || item?.type === 'error')
  return { ...rest, abi: used, '#provider': provider && providers.get(provider) }
}

/** A reading of a contract, which begins again when the wallet, its account or its chain changes. */
function createContractReading<Interface extends Abi | readonly unknown[], Name extends FunctionName<Interface, Reads>>(
  client: Client,
  input: ReadContractInput<Interface, Name> | undefined,
): Reading<FunctionAnswer<Interface, Name>> {
  function findOwner(): string | undefined {
    if (!input || input.provider) return input && 'provider'
    const wallet = client.internal.wallet.get()
    if (wallet.status !== 'connected' || !wallet.provider) return undefined
    return [wallet.connector.id, wallet.chainId, wallet.account].join()
  }
  function whyNot() {
    const { status } = client.internal.wallet.get()
    const isWaiting = !input || status === 'connecting' || status === 'reconnecting'
    return isWaiting ? undefined : missingWallet('Connect a wallet first, or give a provider.')
  }
  return createReading<FunctionAnswer<Interface, Name>>(
    client,
    async (client, callbacks) => (input ? readContract(client, input, callbacks) : undefined),
    findOwner,
    whyNot,
    // A provider of one's own needs no wallet layer, and looking at the wallet starts it.
    input && !input.provider ? [client.wallet] : [],
  )
}
