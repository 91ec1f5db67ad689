import { addChain } from '../../core/actions/addChain.ts'
import { switchChain } from '../../core/actions/switchChain.ts'
import type { Client } from '../../core/Client.ts'
import { ProviderError } from '../../core/errors/ProviderError.ts'
import { ReactMoralisError } from '../errors/ReactMoralisError.ts'
import { findWalletChain } from './findWalletChain.ts'

const loud = { throwOnError: true }

/** Asks the wallet to change to a chain, and tells it of the chain first where it does not know it (4902). */
export async function switchNetwork(client: Client, given: string | number): Promise<void> {
  const chainId = Number(given)
  const state = client.internal.wallet.get()
  if (state.status === 'connected' && state.chainId === chainId) return
  try {
    await switchChain(client, { chainId }, loud)
  } catch (error) {
    if (!isUnknownChain(error)) throw error
    const chain = findWalletChain(`0x${chainId.toString(16)}`)
    if (!chain) throw new ReactMoralisError(`Chain ${given} not supported or is not specified`, -1, { cause: error })
    await addChain(client, chain, loud)
    await switchChain(client, { chainId }, loud)
  }
}

/** Some wallets put 4902 inside the data of another error. */
function isUnknownChain(error: unknown): boolean {
  const { cause } = Object(error)
  if (!(cause instanceof ProviderError)) return false
  return cause.code === 4902 || Object(Object(cause.data).originalError).code === 4902
}
