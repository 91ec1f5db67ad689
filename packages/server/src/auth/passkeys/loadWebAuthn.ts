/** Loaded at first use: it brings parsers for certificates that a server without passkeys has no need of. */
export function loadWebAuthn(): Promise<typeof import('@simplewebauthn/server')> {
  return import('@simplewebauthn/server')
}
