import { ProviderError } from '../errors/ProviderError.ts'
import { untilAborted } from '../untilAborted.ts'
import type { Eip1193Provider } from './Eip1193Provider.ts'
import { toWalletError } from './toWalletError.ts'

/** A JSON-RPC call to a wallet. Its refusal keeps code and data (R16). */
export function askProvider(
  provider: Eip1193Provider,
  method: string,
  params: readonly unknown[],
  signal: AbortSignal,
): Promise<unknown> {
  const call = () =>
    provider.request({ method, params }).catch((cause) => {
      throw new ProviderError(cause)
    })
  return untilAborted(call, signal).catch(toWalletError)
}
