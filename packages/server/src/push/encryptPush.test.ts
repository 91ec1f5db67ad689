import { createECDH, createPublicKey, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { createPushBrowser } from '../testing/createPushBrowser.ts'
import { encryptPush, signPush } from './encryptPush.ts'

// Appendix A of RFC 8291.
const vector = {
  message: 'When I grow up, I want to be a watermelon',
  privateKey: 'yfWPiYE-n46HLnH0KqZOF1fJJU3MYrct3AELtAQ-oRw',
  salt: 'DGv6ra1nlYgDCS1FRnbzlw',
  browserKey: 'q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94',
  p256dh: 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
  auth: 'BTBZMqHH6r4Tts7J_aSIgg',
  body: 'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN',
}
const bytes = (text: string) => Buffer.from(text, 'base64url')

test('the message of RFC 8291 is encrypted to the bytes of RFC 8291', () => {
  const { message, p256dh, auth, salt, privateKey } = vector
  const body = encryptPush(message, { p256dh, auth }, { salt: bytes(salt), privateKey: bytes(privateKey) })
  expect(body.toString('base64url')).toBe(vector.body)
  const browser = createPushBrowser({ privateKey: bytes(vector.browserKey), auth: bytes(auth) })
  expect(browser.keys.p256dh).toBe(p256dh)
  expect(browser.open(bytes(vector.body))).toBe(message)
})

test('each message has keys of its own, and only its browser opens it, unchanged', () => {
  const browser = createPushBrowser()
  const text = '{"alert":"Grüße 🎉"}'
  const one = encryptPush(text, browser.keys)
  const other = encryptPush(text, browser.keys)
  expect([browser.open(one), browser.open(other)]).toEqual([text, text])
  expect(one.subarray(0, 16)).not.toEqual(other.subarray(0, 16))
  expect(one.subarray(21, 86)).not.toEqual(other.subarray(21, 86))
  expect(() => createPushBrowser().open(one)).toThrow()
  for (const at of [0, 20, 30, 90, one.length - 1]) {
    const changed = Buffer.from(one)
    changed.writeUInt8((changed[at] as number) ^ 1, at)
    expect(() => browser.open(changed), `byte ${at}`).toThrow()
  }
})

test('the largest message fits 4,096 bytes, and a larger one is refused', () => {
  const browser = createPushBrowser()
  expect(encryptPush('x'.repeat(3993), browser.keys)).toHaveLength(4096)
  expect(browser.open(encryptPush('', browser.keys))).toBe('')
  expect(() => encryptPush('x'.repeat(3994), browser.keys)).toThrow('more than 3993 bytes')
  expect(() => encryptPush('ü'.repeat(1997), browser.keys)).toThrow('more than 3993 bytes')
})

test('keys that no browser has are refused', () => {
  const { p256dh, auth } = createPushBrowser().keys
  const point = bytes(p256dh)
  const compressed = createECDH('prime256v1')
  compressed.generateKeys()
  const off = Buffer.from(point)
  off.writeUInt8((off[64] as number) ^ 1, 64)
  for (const keys of [
    { p256dh: off.toString('base64url'), auth },
    { p256dh: Buffer.alloc(65).toString('base64url'), auth },
    { p256dh: Buffer.alloc(65, 4).toString('base64url'), auth },
    { p256dh: compressed.getPublicKey('base64url', 'compressed'), auth },
    { p256dh: compressed.getPublicKey('base64url', 'hybrid'), auth },
    { p256dh: '', auth },
    { p256dh, auth: '' },
    { p256dh, auth: 'AAAA' },
    { p256dh: p256dh.repeat(100_000), auth },
  ])
    expect(() => encryptPush('text', keys)).toThrow('the keys of the browser are invalid')
})

test('a push is signed for the origin of its service, for half a day', () => {
  const ecdh = createECDH('prime256v1')
  const publicKey = ecdh.generateKeys('base64url')
  const now = new Date('2026-11-18T12:00:00Z')
  const keys = { subject: 'mailto:ops@example.com', publicKey, privateKey: ecdh.getPrivateKey('base64url') }
  const header = signPush('https://push.example:8443/send/abc?x=1', keys, now)
  const [, text = '', signature = '', key] = /^vapid t=([\w-]+\.[\w-]+)\.([\w-]+), k=([\w-]+)$/.exec(header) ?? []
  expect(key).toBe(publicKey)
  const [head = '', claims = ''] = text.split('.')
  expect(JSON.parse(bytes(head).toString())).toEqual({ typ: 'JWT', alg: 'ES256' })
  expect(JSON.parse(bytes(claims).toString())).toEqual({
    aud: 'https://push.example:8443',
    exp: now.getTime() / 1000 + 43_200,
    sub: 'mailto:ops@example.com',
  })
  const point = bytes(publicKey)
  const jwk = {
    ...{ kty: 'EC', crv: 'P-256' },
    ...{ x: point.subarray(1, 33).toString('base64url'), y: point.subarray(33).toString('base64url') },
  }
  const signer = createPublicKey({ key: jwk, format: 'jwk' })
  const isValid = (signed: string) =>
    verify('sha256', Buffer.from(signed), { key: signer, dsaEncoding: 'ieee-p1363' }, bytes(signature))
  expect([isValid(text), isValid(`${text}x`)]).toEqual([true, false])
})
