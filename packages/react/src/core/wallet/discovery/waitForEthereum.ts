import { sleep } from '../../errors/errors.ts'
import type { Eip1193Provider } from '../../state/Connector.ts'

const interval = 50

/** `window.ethereum`, as soon as a wallet has put it there; none if it does not come in time. */
export async function waitForEthereum(
  timeout: number,
  signal?: AbortSignal,
  find: () => Eip1193Provider | undefined = findEthereum,
): Promise<Eip1193Provider | undefined> {
  const end = Date.now() + timeout
  for (;;) {
    const provider = find()
    if (provider || Date.now() >= end || signal?.aborted) return provider
    await sleep(Math.min(interval, end - Date.now()), signal)
  }
}

function findEthereum(): Eip1193Provider | undefined {
  const page = typeof window === 'undefined' ? undefined : (window as { ethereum?: Partial<Eip1193Provider> })
  const provider = page?.ethereum
  return typeof provider?.request === 'function' ? (provider as Eip1193Provider) : undefined
}
