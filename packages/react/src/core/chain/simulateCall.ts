import { CountersignError } from '@countersign/protocol'
import { ProviderError } from '../errors/ProviderError.ts'
import { explainRevert } from './explainRevert.ts'
import type { Ask } from './openChain.ts'
import type { RawTransaction } from './submitTransaction.ts'

/** Tries a call out, so that one that would fail costs no fee. `check` looks at what the contract answered. */
export function simulateCall(
  abi: unknown,
  address: string,
  check: (answer: string) => CountersignError | undefined,
): (ask: Ask, call: RawTransaction & { readonly from: string }) => Promise<void> {
  return async (ask, { from, to, data, value }) => {
    const answer = await ask('eth_call', [{ from, to, data, value }, 'latest']).catch((error) => {
      if (isUnknownMethod(error)) return undefined
      return explainRevert(error, abi)
    })
    if (typeof answer !== 'string') return
    if (answer === '0x' && (await ask('eth_getCode', [address, 'latest'])) === '0x') {
      // A call of an address without code succeeds and does nothing but pay.
      throw new CountersignError('OtherCause', `There is no contract at ${address} on this chain.`, {
        details: 'Check the address, and which chain the wallet is on; give chainId to be sure.',
      })
    }
    const refusal = check(answer)
    if (refusal) throw refusal
  }
}

/** Some wallets only send. */
function isUnknownMethod(error: unknown): boolean {
  const { cause } = Object(error)
  return cause instanceof ProviderError && (cause.code === 4200 || cause.code === -32601)
}
