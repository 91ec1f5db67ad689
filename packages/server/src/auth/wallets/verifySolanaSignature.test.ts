import { createHash, generateKeyPairSync, sign } from 'node:crypto'
import { binToBase58 } from '@bitauth/libauth'
import { describe, expect, test } from 'vitest'
import { sql } from '../../db/sql.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { askChallenge, present } from '../../testing/signIn.ts'
import { verifySolanaSignature } from './verifySolanaSignature.ts'

const p = 2n ** 255n - 19n
const order = 2n ** 252n + 27742317777372353535851937790883648493n

/** A point as it is written: y in little endian, the sign of x in the top bit. */
const encode = (y: bigint, sign: 0 | 1) => {
  const bytes = Buffer.from(y.toString(16).padStart(64, '0'), 'hex').reverse()
  bytes[31] = (bytes[31] as number) | (sign << 7)
  return bytes
}
const modulo = (value: bigint, by: bigint) => ((value % by) + by) % by
const readNumber = (bytes: Buffer) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`)

const eighth = readNumber(Buffer.from('26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05', 'hex'))
/** The eight points of small order, and every other way to write one of them. */
const smallOrder: [string, Buffer][] = [
  ['the identity', encode(1n, 0)],
  ['order 2', encode(p - 1n, 0)],
  ['order 4', encode(0n, 0)],
  ['order 4, negative', encode(0n, 1)],
  ['order 8', encode(eighth, 0)],
  ['order 8, negative', encode(eighth, 1)],
  ['order 8, the other', encode(p - eighth, 0)],
  ['order 8, the other, negative', encode(p - eighth, 1)],
  ['the identity with a sign', encode(1n, 1)],
  ['order 2 with a sign', encode(p - 1n, 1)],
  ['order 4 as p', encode(p, 0)],
  ['order 4 as p, negative', encode(p, 1)],
  ['the identity as p + 1', encode(p + 1n, 0)],
  ['the identity as p + 1 with a sign', encode(p + 1n, 1)],
]

const text = 'a text'
const hash = (...parts: Uint8Array[]) =>
  modulo(readNumber(createHash('sha512').update(Buffer.concat(parts)).digest()), order)

describe('SEC-16: keys and signatures on points of small order', () => {
  test.each(smallOrder)('rejects the key %s', (_name, key) => {
    // With such a key, R = S = the identity and 0 fit one text in eight, and each text with the identity as the key.
    const forged = [...smallOrder.map(([, R]) => R)].map((R) => Buffer.concat([R, Buffer.alloc(32)]))
    for (let number = 0; number < 40; number++) {
      for (const signature of forged)
        expect(verifySolanaSignature(binToBase58(key), `${text} ${number}`, signature.toString('hex'))).toBe(false)
    }
  })

  test.each(smallOrder)('nor with a signature whose R is %s', (_name, R) => {
    // Made with the secret scalar, so that the equation holds for R = the identity: S = k * a.
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const seed = privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32)
    const scalar = createHash('sha512').update(seed).digest().subarray(0, 32)
    scalar[0] = (scalar[0] as number) & 248
    scalar[31] = ((scalar[31] as number) & 127) | 64
    const key = publicKey.export({ format: 'der', type: 'spki' }).subarray(-32)
    const S = modulo(hash(R, key, Buffer.from(text)) * readNumber(scalar), order)
    const signature = Buffer.concat([R, encode(S, 0)])
    expect(verifySolanaSignature(binToBase58(key), text, signature.toString('hex'))).toBe(false)
  })

  test('every number from p on is no way to write a point', () => {
    for (let y = p; y < 2n ** 255n; y++) {
      for (const sign of [0, 1] as const) {
        const signature = Buffer.concat([encode(1n, 0), Buffer.alloc(32)]).toString('hex')
        expect(verifySolanaSignature(binToBase58(encode(y, sign)), text, signature)).toBe(false)
      }
    }
  })

  test('a number S that is not reduced is refused; a signature as it is made is not', () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    const address = binToBase58(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32))
    const signature = sign(null, Buffer.from(text), privateKey)
    expect(verifySolanaSignature(address, text, signature.toString('base64'))).toBe(true)
    const raised = Buffer.concat([signature.subarray(0, 32), encode(readNumber(signature.subarray(32)) + order, 0)])
    expect(verifySolanaSignature(address, text, raised.toString('base64'))).toBe(false)
  })
})

describe('SEC-16: over HTTP', () => {
  const server = serveTests()

  test('a forged signature of 111…1 opens no account', async () => {
    // The identity has zeros but for its first byte.
    const identity = binToBase58(encode(1n, 0))
    const forged = Buffer.concat([encode(1n, 0), Buffer.alloc(32)]).toString('base64')
    for (const address of [identity, '1'.repeat(32)]) {
      const challenge = await askChallenge(server, address, { namespace: 'solana' })
      const answer = await present(server, { message: challenge.body.message, signature: forged })
      expect([answer.status, answer.body.error]).toEqual([401, 'The signature does not match the account.'])
      const data = challenge.body.message
      const older = await server.call('POST', '/users', {
        authData: { moralisSol: { id: address, signature: forged, data } },
      })
      expect(older.status).toBeGreaterThanOrEqual(400)
    }
    expect(await server.context.db.query(sql`select 1 from "_User"`)).toEqual([])
  })
})
