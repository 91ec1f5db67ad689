import { CountersignError } from '@countersign/protocol'
import { readBase58 } from '../../context/base58.ts'

export function readSolanaAddress(value: unknown, name = 'address'): string {
  if (typeof value === 'string' && value.length <= 44 && readBase58(value)?.length === 32) return value
  throw new CountersignError('InvalidValue', `${name} must be an address of Solana: 32 bytes in base58.`)
}
