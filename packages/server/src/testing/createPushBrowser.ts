import { createDecipheriv, createECDH, hkdfSync, randomBytes } from 'node:crypto'

/** A browser's side of Web Push: the keys of a subscription, and the decryption of RFC 8291. */
export function createPushBrowser({ privateKey, auth = randomBytes(16) }: { privateKey?: Buffer; auth?: Buffer } = {}) {
  const ecdh = createECDH('prime256v1')
  if (privateKey) ecdh.setPrivateKey(privateKey)
  else ecdh.generateKeys()
  const own = ecdh.getPublicKey()
  const derive = (input: Buffer, salt: Buffer, info: (string | Buffer)[], length: number) =>
    Buffer.from(hkdfSync('sha256', input, salt, Buffer.concat(info.map((part) => Buffer.from(part))), length))
  return {
    keys: { p256dh: own.toString('base64url'), auth: auth.toString('base64url') },
    open(body: Buffer): string {
      const salt = body.subarray(0, 16)
      const recordSize = body.readUInt32BE(16)
      const keyEnd = 21 + body.readUInt8(20)
      const sender = body.subarray(21, keyEnd)
      const record = body.subarray(keyEnd)
      if (record.length > recordSize) throw new Error('more than one record')
      const shared = ecdh.computeSecret(sender)
      const input = derive(shared, auth, ['WebPush: info\0', own, sender], 32)
      const key = derive(input, salt, ['Content-Encoding: aes128gcm\0'], 16)
      const nonce = derive(input, salt, ['Content-Encoding: nonce\0'], 12)
      const decipher = createDecipheriv('aes-128-gcm', key, nonce).setAuthTag(record.subarray(-16))
      const padded = Buffer.concat([decipher.update(record.subarray(0, -16)), decipher.final()])
      const end = padded.findLastIndex((byte) => byte !== 0)
      if (padded[end] !== 2) throw new Error('not the last record')
      return padded.subarray(0, end).toString('utf8')
    },
  }
}
