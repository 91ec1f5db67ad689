import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

type Algorithm = 'ES256' | 'EdDSA' | 'RS256'
type Cbor = number | string | Uint8Array | Cbor[] | Map<number | string, Cbor>

/** Parts that a test may falsify; all others are those of an honest browser and authenticator. */
export type Bend = {
  origin?: string
  rpId?: string
  type?: string
  challenge?: string
  clientData?: object
  flags?: number
  counter?: number
  userHandle?: string | null
  format?: string
  statement?: Map<number | string, Cbor>
  id?: string
}

export type Authenticator = {
  id: string
  /** Creates a credential for the options of a registration, as `PublicKeyCredential.toJSON()` does. */
  register(options: RegistrationOptions, bend?: Bend): Credential
  /** Creates an assertion for the options of a challenge. */
  assert(options: ChallengeOptions, bend?: Bend): Credential
}

export type Credential = {
  id: string
  rawId: string
  type: string
  response: Record<string, unknown>
  clientExtensionResults: object
}
export type RegistrationOptions = { challenge: string; rp: { id?: string }; user: { id: string } }
export type ChallengeOptions = { challenge: string; rpId?: string }

export const present = 0x01
export const verified = 0x04
const attested = 0x40

/** An authenticator in software, with a browser around it: a true key, and the bytes that WebAuthn prescribes. */
export function createAuthenticator(
  origin: string,
  algorithm: Algorithm = 'ES256',
  copyOf?: { id: string; key: KeyObject },
): Authenticator & { key: KeyObject } {
  const { privateKey, publicKey } = newKeys(algorithm)
  const key = copyOf?.key ?? privateKey
  const id = copyOf?.id ?? randomBytes(20).toString('base64url')
  let counter = 0
  let handle: string | undefined

  const describe = (type: string, challenge: string, bend: Bend) =>
    encode(
      Buffer.from(
        JSON.stringify({
          type: bend.type ?? type,
          challenge: bend.challenge ?? challenge,
          origin: bend.origin ?? origin,
          crossOrigin: false,
          ...bend.clientData,
        }),
      ),
    )

  return {
    id,
    key,
    register({ challenge, rp, user }, bend = {}) {
      handle = user.id
      const clientDataJSON = describe('webauthn.create', challenge, bend)
      const credentialId = Buffer.from(id, 'base64url')
      const length = Buffer.alloc(2)
      length.writeUInt16BE(credentialId.length)
      const authData = Buffer.concat([
        authenticatorData(
          bend.rpId ?? rp.id ?? '',
          bend.flags ?? present | verified | attested,
          bend.counter ?? counter,
        ),
        Buffer.alloc(16),
        length,
        credentialId,
        encodeCbor(coseKey(publicKey, algorithm)),
      ])
      const attestationObject = new Map<string, Cbor>([
        ['fmt', bend.format ?? 'none'],
        ['attStmt', bend.statement ?? new Map()],
        ['authData', authData],
      ])
      return envelope(bend.id ?? id, {
        clientDataJSON,
        attestationObject: encode(encodeCbor(attestationObject)),
        transports: ['internal', 'hybrid'],
      })
    },
    assert({ challenge, rpId }, bend = {}) {
      const clientDataJSON = describe('webauthn.get', challenge, bend)
      counter = bend.counter ?? counter
      const authData = authenticatorData(bend.rpId ?? rpId ?? '', bend.flags ?? present | verified, counter)
      const signed = Buffer.concat([
        authData,
        createHash('sha256').update(Buffer.from(clientDataJSON, 'base64url')).digest(),
      ])
      const signature = sign(algorithm === 'EdDSA' ? null : 'sha256', signed, key)
      const userHandle = bend.userHandle === undefined ? handle : bend.userHandle
      return envelope(bend.id ?? id, {
        clientDataJSON,
        authenticatorData: encode(authData),
        signature: encode(signature),
        userHandle,
      })
    },
  }
}

function envelope(id: string, response: Record<string, unknown>): Credential {
  return { id, rawId: id, type: 'public-key', response, clientExtensionResults: { credProps: { rk: true } } }
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const tail = Buffer.alloc(5)
  tail.writeUInt8(flags)
  tail.writeUInt32BE(counter, 1)
  return Buffer.concat([createHash('sha256').update(rpId).digest(), tail])
}

function newKeys(algorithm: Algorithm): { privateKey: KeyObject; publicKey: KeyObject } {
  if (algorithm === 'EdDSA') return generateKeyPairSync('ed25519')
  if (algorithm === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 })
  return generateKeyPairSync('ec', { namedCurve: 'P-256' })
}

/** The key in the form of RFC 9052. */
function coseKey(key: KeyObject, algorithm: Algorithm): Map<number, Cbor> {
  const { x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' })
  const part = (text: string) => Buffer.from(text, 'base64url')
  if (algorithm === 'EdDSA')
    return new Map<number, Cbor>([
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, part(x)],
    ])
  if (algorithm === 'RS256')
    return new Map<number, Cbor>([
      [1, 3],
      [3, -257],
      [-1, part(n)],
      [-2, part(e)],
    ])
  return new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, part(x)],
    [-3, part(y)],
  ])
}

/** As much of CBOR (RFC 8949) as an authenticator writes. */
function encodeCbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encodeCbor)])
  return Buffer.concat([
    head(5, value.size),
    ...[...value].flatMap(([name, entry]) => [encodeCbor(name), encodeCbor(entry)]),
  ])
}

function head(major: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(major << 5) | size])
  if (size < 256) return Buffer.from([(major << 5) | 24, size])
  return Buffer.from([(major << 5) | 25, size >> 8, size & 255])
}

const encode = (bytes: Buffer) => bytes.toString('base64url')
