import type { WireFields } from '@countersign/protocol'
import { toBase64url } from './base64url.ts'

/** A passkey's answer as the server takes it; by hand where the browser cannot write JSON itself. */
export function writeCredential(credential: PublicKeyCredential): WireFields {
  try {
    return credential.toJSON() as object as WireFields
  } catch {
    // Absent in older browsers; there but broken where a password manager stands in for the browser.
    return { ...describe(credential), response: writeResponse(credential.response) }
  }
}

function describe({ id, rawId, type }: PublicKeyCredential): WireFields {
  return { id, rawId: toBase64url(rawId), type, clientExtensionResults: {} }
}

function writeResponse(response: AuthenticatorResponse): WireFields {
  const made = response as AuthenticatorAttestationResponse
  const used = response as AuthenticatorAssertionResponse
  const clientDataJSON = toBase64url(response.clientDataJSON)
  if (made.attestationObject) {
    const transports = made.getTransports?.() ?? []
    return { clientDataJSON, attestationObject: toBase64url(made.attestationObject), transports }
  }
  return {
    clientDataJSON,
    authenticatorData: toBase64url(used.authenticatorData),
    signature: toBase64url(used.signature),
    ...(used.userHandle && { userHandle: toBase64url(used.userHandle) }),
  }
}
