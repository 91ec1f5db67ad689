import { type Address, isAddress } from 'viem'
import { ValidationError } from '../errors/ValidationError.ts'
import { show } from '../ethers/show.ts'

export function requireAddress(name: string, value: unknown): Address {
  if (value === undefined || value === null || value === '') throw new ValidationError(`${name} is required`)
  if (typeof value === 'string' && isAddress(value)) return value
  throw new ValidationError(
    `${name} can only be an address`,
    `${show(value)} is not 20 bytes after 0x, or its capitals do not fit: one letter of it may be wrong.`,
  )
}
