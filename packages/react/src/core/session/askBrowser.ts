import type { WireFields } from '@countersign/protocol'
import type { Client } from '../client/Client.ts'
import { PasskeyError } from '../errors/PasskeyError.ts'
import { request } from './request.ts'

/** Has the browser make a passkey. */
export function createPasskey(options: WireFields, signal?: AbortSignal): Promise<WireFields> {
  const given = readCreationOptions(options)
  // A passkey that can make keys for data on this device; other authenticators ignore the wish.
  const publicKey = { ...given, extensions: { ...given.extensions, prf: {} } }
  return ask(() => navigator.credentials.create({ publicKey, signal }))
}

/** Has the browser use a passkey that the person chooses. */
export function getPasskey(options: WireFields, signal?: AbortSignal): Promise<WireFields> {
  return ask(() => navigator.credentials.get({ publicKey: readRequestOptions(options), signal }))
}

/** Milliseconds after which an offer is made again by a new challenge, before the server forgets the last one. */
const offerLength = 120_000

/** Offers passkeys in the page's fields while the page is open, and returns the assertion of the chosen one. */
export async function waitForChoice(
  client: Client,
  signal: AbortSignal | undefined,
): Promise<{ credential: WireFields }> {
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.())) throw new PasskeyError('passkeyUnsupported')
  for (;;) {
    const { options } = await request(client, 'createPasskeyChallenge', { purpose: 'signIn' }, { signal })
    const credential = await offerPasskey(options, signal)
    if (credential) return { credential }
  }
}

/** The offer that waits in the fields of the page; a browser has one request at a time. */
let offer: AbortController | undefined

/** Waits until a passkey is chosen in a field with `autocomplete="username webauthn"`; nothing once that took too long. */
async function offerPasskey(wire: WireFields, signal: AbortSignal | undefined): Promise<WireFields | undefined> {
  const controller = new AbortController()
  offer?.abort()
  offer = controller
  let isLate = false
  const end = () => controller.abort()
  const timer = setTimeout(() => {
    isLate = true
    end()
  }, offerLength)
  signal?.addEventListener('abort', end)
  if (signal?.aborted) end()
  try {
    const publicKey = readRequestOptions(wire)
    const wanted = { publicKey, mediation: 'conditional', signal: controller.signal } as const
    return writeCredential((await navigator.credentials.get(wanted)) as PublicKeyCredential)
  } catch (cause) {
    if (isLate) return undefined
    throw new PasskeyError(cause as Error)
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', end)
    if (offer === controller) offer = undefined
  }
}

async function ask(prompt: () => Promise<Credential | null>): Promise<WireFields> {
  offer?.abort()
  const credential = await prompt().catch((cause: Error) => {
    throw new PasskeyError(cause)
  })
  return writeCredential(credential as PublicKeyCredential)
}

type CreationJson = PublicKeyCredentialCreationOptionsJSON

type RequestJson = PublicKeyCredentialRequestOptionsJSON

/** The server's options as the browser takes them; by hand where the browser cannot read JSON itself. */
function readCreationOptions(wire: WireFields): PublicKeyCredentialCreationOptions {
  const json = wire as unknown as CreationJson
  if ('parseCreationOptionsFromJSON' in PublicKeyCredential)
    return PublicKeyCredential.parseCreationOptionsFromJSON(json)
  return {
    ...(json as object as PublicKeyCredentialCreationOptions),
    challenge: fromBase64url(json.challenge),
    user: { ...json.user, id: fromBase64url(json.user.id) },
    excludeCredentials: readDescriptors(json.excludeCredentials),
  }
}

function readRequestOptions(wire: WireFields): PublicKeyCredentialRequestOptions {
  const json = wire as unknown as RequestJson
  if ('parseRequestOptionsFromJSON' in PublicKeyCredential) return PublicKeyCredential.parseRequestOptionsFromJSON(json)
  return {
    ...(json as object as PublicKeyCredentialRequestOptions),
    challenge: fromBase64url(json.challenge),
    allowCredentials: readDescriptors(json.allowCredentials),
  }
}

function readDescriptors(list: PublicKeyCredentialDescriptorJSON[] = []): PublicKeyCredentialDescriptor[] {
  return list.map((entry) => ({ ...entry, id: fromBase64url(entry.id) }) as object as PublicKeyCredentialDescriptor)
}

/** A passkey's assertion in the server's form; built by hand if the browser cannot write JSON itself. */
function writeCredential(credential: PublicKeyCredential): WireFields {
  try {
    return credential.toJSON() as object as WireFields
  } catch {
    // Absent in older browsers; present but broken if a password manager replaces the browser's.
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

/** Bytes as WebAuthn's JSON writes them. */
function toBase64url(bytes: ArrayBuffer): string {
  const text = String.fromCharCode(...new Uint8Array(bytes))
  return btoa(text).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '')
}

function fromBase64url(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text.replace(/-/g, '+').replace(/_/g, '/'))
  return Uint8Array.from(letters, (letter) => letter.charCodeAt(0))
}
