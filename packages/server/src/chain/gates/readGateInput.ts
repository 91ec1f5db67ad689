import { CountersignError, type WireFields } from '@countersign/protocol'
import type { Hex } from '../nodes/Chain.ts'
import { readAddress } from '../reads/readAddress.ts'
import type { Gate } from './Gate.ts'

const kinds = ['native', 'erc20', 'erc721', 'erc1155'] as const
const largest = 1n << 256n

/** What a gate is to ask for, checked. Amounts are in the smallest unit, as the contract counts them. */
export function readGateInput(input: WireFields): Omit<Gate, 'objectId' | 'role' | 'chain'> {
  const kind = kinds.find((each) => each === input.kind)
  if (!kind) throw new CountersignError('InvalidValue', `kind of a gate must be one of ${kinds.join(', ')}.`)
  const amount = readNumber('amount', input.amount ?? '1')
  if (amount === 0n) {
    throw new CountersignError('InvalidValue', 'amount of a gate must be above 0: everybody holds nothing.')
  }
  if (kind === 'native') {
    refuse(input, ['token', 'tokenId'], 'the currency of a chain')
    return { kind, token: null, id: null, amount }
  }
  const token: Hex = readAddress(input.token, 'token')
  if (kind === 'erc20') {
    refuse(input, ['tokenId'], 'an ERC-20')
    return { kind, token, id: null, amount }
  }
  const id = input.tokenId === undefined || input.tokenId === null ? null : readNumber('tokenId', input.tokenId)
  if (kind === 'erc1155' && id === null) {
    throw new CountersignError('InvalidValue', 'tokenId is needed for an ERC-1155: it counts each id by itself.')
  }
  if (kind === 'erc721' && id !== null && amount !== 1n) {
    throw new CountersignError('InvalidValue', 'There is one of each id of an ERC-721: leave amount out.')
  }
  return { kind, token, id, amount }
}

function readNumber(name: string, value: unknown): bigint {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value
  const number = typeof text === 'string' && /^\d{1,78}$/.test(text) ? BigInt(text) : largest
  if (number < largest) return number
  throw new CountersignError('InvalidValue', `${name} of a gate must be a whole number, as a text of digits.`)
}

function refuse(input: WireFields, names: string[], what: string): void {
  const odd = names.find((name) => input[name] !== undefined && input[name] !== null)
  if (odd) throw new CountersignError('InvalidValue', `${odd} says nothing of ${what}: leave it out.`)
}
