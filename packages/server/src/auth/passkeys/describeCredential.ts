import type { AuthenticatorTransport } from '@simplewebauthn/server'
import type { PasskeyRow } from './encodePasskey.ts'

const transports = new Set<string>(['ble', 'cable', 'hybrid', 'internal', 'nfc', 'smart-card', 'usb'])

/** How a browser finds a passkey again. */
export function describeCredential(row: Pick<PasskeyRow, 'credential' | 'transports'>): {
  id: string
  transports: AuthenticatorTransport[]
} {
  return { id: row.credential, transports: row.transports.filter(isTransport) }
}

export function isTransport(name: string): name is AuthenticatorTransport {
  return transports.has(name)
}
