import { CountersignError } from '@countersign/protocol'
import type { Contract } from '@countersign/protocol/contract'
import type { z } from 'zod'
import { readAddress } from '../reads/readAddress.ts'
import type { Gate } from './Gate.ts'

export type GateInput = z.output<Contract['createGate']['input']>

/** What a gate is to ask for: what fits its kind. Amounts are in the smallest unit, as the contract counts them. */
export function readGateInput(input: GateInput): Omit<Gate, 'objectId' | 'role' | 'chain'> {
  const { kind } = input
  const amount = input.amount ?? 1n
  const id = input.tokenId ?? null
  if (kind === 'native') {
    refuse(input, ['token', 'tokenId'], 'the currency of a chain')
    return { kind, token: null, id: null, amount }
  }
  const token = readAddress(input.token, 'token')
  if (kind === 'erc20') {
    refuse(input, ['tokenId'], 'an ERC-20')
    return { kind, token, id: null, amount }
  }
  if (kind === 'erc1155' && id === null) {
    throw new CountersignError('InvalidValue', 'tokenId is needed for an ERC-1155: it counts each id by itself.')
  }
  if (kind === 'erc721' && id !== null && amount !== 1n) {
    throw new CountersignError('InvalidValue', 'There is one of each id of an ERC-721: leave amount out.')
  }
  return { kind, token, id, amount }
}

function refuse(input: GateInput, names: ('token' | 'tokenId')[], what: string): void {
  const odd = names.find((name) => input[name] !== undefined && input[name] !== null)
  if (odd) throw new CountersignError('InvalidValue', `${odd} says nothing of ${what}: leave it out.`)
}
