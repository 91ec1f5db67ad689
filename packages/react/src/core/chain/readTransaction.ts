import { type Hex, isHex, numberToHex } from 'viem'
import type { SendTransactionInput } from '../actions/sendTransaction.ts'
import { ValidationError } from '../errors/ValidationError.ts'
import { readInteger } from '../ethers/readInteger.ts'
import type { SendChoice } from './ChainChoice.ts'
import { requireAddress } from './requireAddress.ts'
import type { RawTransaction } from './submitTransaction.ts'

const amounts = ['value', 'gas', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'nonce'] as const

/** Parts what goes onto the chain, as JSON-RPC has it, from how it is sent. */
export function readTransaction(input: SendTransactionInput): { rest: SendChoice; transaction: RawTransaction } {
  const { to, data, value, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce, ...rest } = input
  if (to === undefined && (data === undefined || data === '0x')) throw new ValidationError('to is required')
  if (data !== undefined && (!isHex(data) || data.length % 2)) {
    throw new ValidationError('data can only be hexadecimal text of whole bytes')
  }
  const given = { value, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce }
  const numbers = amounts.flatMap((name) => (given[name] === undefined ? [] : [[name, readAmount(name, given[name])]]))
  return {
    rest,
    transaction: {
      ...(to !== undefined && { to: requireAddress('to', to) }),
      ...(data !== undefined && { data }),
      ...Object.fromEntries(numbers),
    },
  }
}

export function readAmount(name: string, value: unknown): Hex {
  const amount = tryRead(name, value)
  if (amount < 0n || amount >= 2n ** 256n) throw new ValidationError(`${name} can only be from 0 to 2^256 - 1`)
  return numberToHex(amount)
}

function tryRead(name: string, value: unknown): bigint {
  try {
    return readInteger(value)
  } catch {
    const details = 'Give it in the smallest unit, such as wei: parseEther and parseUnits turn decimals into it.'
    throw new ValidationError(`${name} can only be a whole number`, details)
  }
}
