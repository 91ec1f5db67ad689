import { PasskeyError } from '../errors/PasskeyError.ts'
import { isPasskeySupported } from './isPasskeySupported.ts'

/** Before anything is asked of the server. */
export function requirePasskeys(): void {
  if (!isPasskeySupported()) throw new PasskeyError('passkeyUnsupported')
}
