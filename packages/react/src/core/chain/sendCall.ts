import type { CountersignError } from '@countersign/protocol'
import type { AbiFunction } from 'viem'
import type { WriteContractInput } from '../actions/writeContract.ts'
import type { Client } from '../Client.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import type { SentTransaction } from './ChainChoice.ts'
import { encodeCall } from './encodeCall.ts'
import { readTransaction } from './readTransaction.ts'
import { requireAddress } from './requireAddress.ts'
import { simulateCall } from './simulateCall.ts'
import { submitTransaction } from './submitTransaction.ts'

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
    throw new ValidationError(`${fn.name} only reads, so there is nothing to send`, 'Use readContract.')
  }
  if (hasValue && (payable === false || stateMutability === 'nonpayable')) {
    throw new ValidationError(`${fn.name} takes no payment`, 'Leave value out; the contract would refuse it.')
  }
}
