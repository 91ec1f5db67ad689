import { type Hex, numberToHex } from 'viem'
import { RevertError } from '../errors/RevertError.ts'
import { explainRevert } from './explainRevert.ts'
import type { Ask } from './openChain.ts'
import type { Sent } from './waitForReceipt.ts'

/** Why a transaction on the chain failed: it is tried again on the state before its block, which changes nothing. */
export async function explainFailure(
  ask: Ask,
  { hash, from, to, data, value, gas }: Sent,
  block: bigint,
  abi: unknown,
) {
  const call = { from, to, data, value, gas }
  for (const at of [block, block - 1n]) {
    try {
      await ask('eth_call', [call, numberToHex(at) satisfies Hex])
    } catch (error) {
      explainRevert(error, abi, hash)
    }
  }
  throw new RevertError({ reason: 'it gave no reason that can be found any more', hash })
}
