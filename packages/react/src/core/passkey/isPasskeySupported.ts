/**
 * Whether passkeys can work on this page at all: a browser that knows them, a secure page, a host with a name.
 *
 * @example
 * {isPasskeySupported() && <button onClick={() => signInWithPasskey()}>Sign in with a passkey</button>}
 */
export function isPasskeySupported(): boolean {
  const { PublicKeyCredential, navigator, location } = globalThis as Partial<typeof globalThis>
  if (!PublicKeyCredential || !navigator?.credentials) return false
  // Browsers bind passkeys to names, not to addresses in numbers.
  return !/^[\d.]+$|^\[/.test(location?.hostname ?? '')
}
