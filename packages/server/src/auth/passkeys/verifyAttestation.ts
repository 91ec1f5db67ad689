import type { Attestation } from '@countersign/protocol/contract'
import type { WebAuthnCredential } from '@simplewebauthn/server'
import { refused } from '../proveAccount.ts'
import type { RelyingParty } from './chooseRelyingParty.ts'
import { algorithms } from './createPasskeyRegistration.ts'
import { loadWebAuthn } from './loadWebAuthn.ts'

export type NewCredential = WebAuthnCredential & { backedUp: boolean }

/** The new key, if the browser made it for this very request. */
export async function verifyAttestation(
  credential: Attestation,
  nonce: string,
  { rpId, origin }: RelyingParty,
): Promise<NewCredential> {
  try {
    await refuseCertificates(credential)
    const { verifyRegistrationResponse } = await loadWebAuthn()
    const { registrationInfo } = await verifyRegistrationResponse({
      response: { ...credential, response: { ...credential.response, transports: [] }, clientExtensionResults: {} },
      expectedChallenge: nonce,
      expectedOrigin: origin,
      expectedRPID: rpId,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    })
    if (registrationInfo && registrationInfo.credential.id === credential.id) {
      return { ...registrationInfo.credential, backedUp: registrationInfo.credentialBackedUp }
    }
  } catch (cause) {
    throw refused('The new passkey could not be verified.', String((cause as Error).message).slice(0, 200))
  }
  throw refused('The new passkey could not be verified.')
}

/**
 * We ask for no word of the maker, and browsers then send none. A statement with certificates could name lists of
 * revoked ones for us to fetch, which would let anyone make this server call any address (SSRF).
 */
async function refuseCertificates({ response }: Attestation): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const object = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')))
  const format = object.get('fmt')
  if (format === 'none' || (format === 'packed' && object.get('attStmt').get('x5c') === undefined)) return
  throw new Error('attestation is not taken')
}
