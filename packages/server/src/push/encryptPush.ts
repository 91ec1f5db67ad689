import { createCipheriv, createECDH, createPrivateKey, hkdfSync, randomBytes, sign } from 'node:crypto'

/** Bytes that a push service must accept in one message (RFC 8030), and those that encryption adds. */
const largest = 4096
const headerLength = 86
const added = headerLength + 17
/** Seconds that a signature is valid; push services accept a day at most. */
const lifetime = 12 * 3600

/** Public key and secret of a browser's subscription, in base64url. */
export type PushKeys = { p256dh: string; auth: string }

/** Encrypts a message for one browser (RFC 8291, with the encoding aes128gcm of RFC 8188), as one record. */
export function encryptPush(
  message: string,
  { p256dh, auth }: PushKeys,
  // Fixed only by the vectors of the RFC.
  { salt = randomBytes(16), privateKey }: { salt?: Buffer; privateKey?: Buffer } = {},
): Buffer {
  const content = Buffer.from(message)
  if (content.length + added > largest) throw new Error(`the message has more than ${largest - added} bytes`)
  const theirs = Buffer.from(p256dh, 'base64url')
  const secret = Buffer.from(auth, 'base64url')
  // A key of another form would be accepted by createECDH: compressed, or hybrid.
  if (theirs.length !== 65 || theirs[0] !== 4 || secret.length !== 16)
    throw new Error('the keys of the browser are invalid')
  const ecdh = createECDH('prime256v1')
  if (privateKey) ecdh.setPrivateKey(privateKey)
  else ecdh.generateKeys()
  const ours = ecdh.getPublicKey()
  const info = Buffer.concat([Buffer.from('WebPush: info\0'), theirs, ours])
  const input = derive(computeSecret(ecdh, theirs), secret, info, 32)
  const key = derive(input, salt, Buffer.from('Content-Encoding: aes128gcm\0'), 16)
  const nonce = derive(input, salt, Buffer.from('Content-Encoding: nonce\0'), 12)
  const cipher = createCipheriv('aes-128-gcm', key, nonce)
  const header = Buffer.alloc(headerLength)
  salt.copy(header)
  header.writeUInt32BE(largest, 16)
  header.writeUInt8(ours.length, 20)
  ours.copy(header, 21)
  // The delimiter 2 marks the last record.
  const record = Buffer.concat([content, Buffer.from([2])])
  return Buffer.concat([header, cipher.update(record), cipher.final(), cipher.getAuthTag()])
}

function computeSecret(ecdh: ReturnType<typeof createECDH>, theirs: Buffer): Buffer {
  try {
    return ecdh.computeSecret(theirs)
  } catch {
    // A point outside of the curve would reveal bits of our key.
    throw new Error('the keys of the browser are invalid')
  }
}

function derive(input: Buffer, salt: Buffer, info: Buffer, length: number): Buffer {
  return Buffer.from(hkdfSync('sha256', input, salt, info, length))
}

/** The server's identity for a push service (RFC 8292). */
export type VapidKeys = { subject: string; publicKey: string; privateKey: string }

/** The header `Authorization` for one push service: a token that is signed for its origin only. */
export function signPush(endpoint: string, { subject, publicKey, privateKey }: VapidKeys, now: Date): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const claims = { aud: new URL(endpoint).origin, exp: Math.floor(now.getTime() / 1000) + lifetime, sub: subject }
  const text = `${encode({ typ: 'JWT', alg: 'ES256' })}.${encode(claims)}`
  const point = Buffer.from(publicKey, 'base64url')
  const coordinate = (start: number) => point.subarray(start, start + 32).toString('base64url')
  const key = createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', d: privateKey, x: coordinate(1), y: coordinate(33) },
    format: 'jwk',
  })
  const signature = sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
  return `vapid t=${text}.${signature.toString('base64url')}, k=${publicKey}`
}
