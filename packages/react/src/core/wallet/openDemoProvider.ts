import { CountersignError } from '@countersign/protocol'
import type { StorageAdapter } from '../SyncStorage.ts'
import { openStorage } from '../storage.ts'
import type { Chain } from './Chain.ts'
import { createRpcProvider } from './createRpcProvider.ts'
import { defaultChainId } from './defaultChainId.ts'
import type { Eip1193Provider } from './Eip1193Provider.ts'

const key = 'Countersign/demoWallet'

/** The demo wallet with the key that is kept for it, or with a new one. */
export async function openDemoProvider(
  storage: StorageAdapter | undefined,
  chains: readonly Pick<Chain, 'id' | 'rpcUrls'>[],
): Promise<Eip1193Provider> {
  const { createDemoProvider } = await import('./createDemoProvider.ts').catch((cause) => {
    throw new CountersignError('OtherCause', 'The demo wallet could not be loaded.', {
      cause,
      details: 'It signs by the package viem: npm install viem',
    })
  })
  const store = storage ?? openStorage()
  // One that cannot be kept lasts as long as the page.
  const kept = await Promise.resolve()
    .then(() => store.getItem(key))
    .catch(() => null)
  const known = chains.length > 0 ? chains : [{ id: defaultChainId, rpcUrls: [] }]
  const made = createDemoProvider(kept, createRpcProvider(known, known[0]?.id ?? defaultChainId))
  await Promise.resolve()
    .then(() => store.setItem(key, made.privateKey))
    .catch(() => undefined)
  return made.provider
}
