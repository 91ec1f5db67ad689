import { CountersignError } from '@countersign/protocol'
import type { AbiFunction } from 'viem'
import type { Client } from '../client/Client.ts'
import { ValidationError } from '../errors/errors.ts'
import type { RawTransaction, SentTransaction } from './ChainOptions.ts'
import type { WriteContractInput } from './ContractInput.ts'
import { encodeCall } from './encodeCall.ts'
import { explainRevert } from './explainRevert.ts'
import { type Ask, isUnknownMethod, requireAddress } from './openChain.ts'
import { readTransaction, submitTransaction } from './submitTransaction.ts'

/** Tries a call of a contract out and then has the wallet send it. */
export async function sendCall(
  client: Client,
  input: WriteContractInput,
  signal: AbortSignal | undefined,
  check: (answer: string) => CountersignError | undefined = () => undefined,
): Promise<SentTransaction> {
  const { address, abi, functionName, args, ...choice } = input
  const to = requireAddress('address', address)
  const { fn, data } = encodeCall(abi, functionName, args)
  const { rest, transaction } = readTransaction({ ...choice, to, data })
  refuseUseless(fn, transaction.value !== undefined && transaction.value !== '0x0')
  const simulate = simulateCall(abi, to, check)
  return submitTransaction(client, rest, transaction, { abi, simulate }, signal)
}

function refuseUseless(fn: AbiFunction, hasValue: boolean): void {
  // Before stateMutability, ABIs had constant and payable.
  const { stateMutability, constant, payable }: { stateMutability?: string; constant?: boolean; payable?: boolean } = fn
  if (constant || stateMutability === 'view' || stateMutability === 'pure') {
    throw new ValidationError(`${fn.name} is read-only, so there is nothing to send`, 'Use readContract.')
  }
  if (hasValue && (payable === false || stateMutability === 'nonpayable')) {
    throw new ValidationError(`${fn.name} takes no payment`, 'Remove value; the contract would reject it.')
  }
}

/** Simulates a call, so that one that would fail costs no fee. `check` looks at the contract's result. */
function simulateCall(
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
        details: 'Check the address and the chain of the wallet, or pass chainId.',
      })
    }
    const refusal = check(answer)
    if (refusal) throw refusal
  }
}
