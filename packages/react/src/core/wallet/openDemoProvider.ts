import { CountersignError } from '@countersign/protocol'
import type { SyncStorage } from '../SyncStorage.ts'
import { openStorage } from '../storage.ts'
import type { Chain } from './Chain.ts'
import { createRpcProvider } from './createRpcProvider.ts'
import { defaultChainId } from './defaultChainId.ts'
import type { Eip1193Provider } from './Eip1193Provider.ts'

const key = 'Countersign/demoWallet'

/** The demo wallet with the key that is kept for it, or with a new one. */
export async function openDemoProvider(
  storage: SyncStorage | undefined,
  chains: readonly Pick<Chain, 'id' | 'rpcUrls'>[],
): Promise<Eip1193Provider> {
  const { createDemoProvider } = await import('./createDemoProvider.ts').catch((cause) => {
    throw new CountersignError('OtherCause', 'The demo wallet could not be loaded.', {
      cause,
      details: 'It signs by the package viem: npm install viem',
    })
  })
  const store = openStorage(storage)
  const known = chains.length > 0 ? chains : [{ id: defaultChainId, rpcUrls: [] }]
  const made = createDemoProvider(store.getItem(key), createRpcProvider(known, known[0]?.id ?? defaultChainId))
  store.setItem(key, made.privateKey)
  return made.provider
}
