import { ValidationError } from '../errors/ValidationError.ts'

/** There is nobody to ask about. */
export function missingAddress(): ValidationError {
  return new ValidationError('No address is given, and no wallet is connected.', 'Connect a wallet or give an address.')
}
