import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createProofs } from '../../testing/accounts/createProofs.ts'
import { createWallet } from '../../testing/chain/createWallet.ts'
import { inFull } from '../../testing/inFull.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { askChallenge, present, signInWith } from '../../testing/signIn.ts'

const server = serveTests({
  publicUrl: 'https://app.example:8443',
  wallet: { origins: ['https://other.example'] },
})

const { sessions, signed, expectRefused } = createProofs(() => server)

describe('signatures and addresses', () => {
  // The embedded database takes several times as long, and what is tried here reaches neither.
  const amount = inFull(process.env.TEST_DATABASE === 'postgres' ? 10_000 : 500)
  test(`S11: ${amount} random signatures and messages: never a session, never a 500`, {
    timeout: 240_000,
  }, async () => {
    const before = await sessions()
    const wallet = createWallet()
    const hex = fc.uint8Array({ maxLength: 200 }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`)
    const lengths = fc
      .constantFrom(0, 1, 63, 64, 65, 66, 96, 132)
      .chain((length) =>
        fc
          .uint8Array({ minLength: length, maxLength: length })
          .map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`),
      )
    const signature = fc.oneof(
      lengths,
      hex,
      fc.string(),
      fc.constantFrom(null, 5, {}, [], `0x${'00'.repeat(65)}`, `0x${'ff'.repeat(65)}`, `0x${'6492'.repeat(16)}`),
    )
    const message = fc.oneof(fc.constant('fresh'), fc.string(), fc.constantFrom(null, 5, {}, []))
    const tries = fc.sample(fc.tuple(message, signature), amount)
    let next = 0
    const worker = async () => {
      for (;;) {
        const pair = tries[next++]
        if (!pair) return
        const [text, bytes] = pair
        // Some have a true challenge behind them, so that the signature itself is reached.
        const fresh =
          text === 'fresh' && next % 5 === 0 ? (await askChallenge(server, wallet.address)).body.message : text
        const { status } = await present(server, { message: fresh, signature: bytes })
        if (status < 400 || status >= 500) throw new Error(`${status} for ${JSON.stringify(pair)}`)
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    expect(await sessions()).toBe(before)
  })

  test('S12: the same signature in another form is spent with its nonce, and makes no second account', async () => {
    const { message, signature, signer } = await signed()
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = BigInt(`0x${signature.slice(66, 130)}`)
    const v = Number.parseInt(signature.slice(130), 16)
    const flipped = `${signature.slice(0, 66)}${(order - s).toString(16).padStart(64, '0')}${(v === 27 ? 28 : 27).toString(16)}`
    expect((await present(server, { message, signature })).status).toBe(201)
    await expectRefused({ message, signature: flipped })
    const compact = await signed(signer)
    const yParity = Number.parseInt(compact.signature.slice(130), 16) - 27
    const top = (BigInt(`0x${compact.signature.slice(66, 130)}`) | (BigInt(yParity) << 255n))
      .toString(16)
      .padStart(64, '0')
    const short = await present(server, {
      message: compact.message,
      signature: `${compact.signature.slice(0, 66)}${top}`,
    })
    expect(short.status).toBe(200)
  })

  test('S13: one wallet in three spellings is one user; a wrong checksum is refused', async () => {
    const wallet = createWallet()
    const spellings = [wallet.address, wallet.address.toLowerCase(), `0x${wallet.address.slice(2).toUpperCase()}`]
    const ids = new Set<unknown>()
    for (const address of spellings)
      ids.add((await signInWith(server, { address, signMessage: (text) => wallet.signMessage(text) })).body.objectId)
    expect(ids.size).toBe(1)
    const wrong = [...wallet.address]
      .map((letter, at) =>
        at > 1 ? (letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase()) : letter,
      )
      .join('')
    expect((await askChallenge(server, wrong)).body.code).toBe(162)
    await expectRefused(await signed(wallet, (text) => text.replace(wallet.address, wrong)))
  })

  test('S29: the proven account is read from the signed text; fields beside it are ignored', async () => {
    const victim = await signInWith(server, createWallet())
    const attacker = createWallet()
    const { message, signature } = await signed(attacker)
    const answer = await present(server, {
      message,
      signature,
      address: victim.body.ethAddress,
      userId: victim.body.objectId,
      objectId: victim.body.objectId,
    })
    expect(answer.status).toBe(201)
    expect(answer.body.ethAddress).toBe(attacker.address.toLowerCase())
    await expectRefused({
      ...(await signed(attacker, (text) => text.replace('app.example:8443 wants', 'evil.example wants'))),
    })
    const asked = (await askChallenge(server, createWallet().address)).body.message as string
    const own = asked.replace(/0x[0-9a-fA-F]{40}/, attacker.address)
    await expectRefused({ message: own, signature: await attacker.signMessage({ message: own }) })
  })
})

describe('Solana', () => {
  type Phantom = { address: string; key: KeyObject }
  const letters = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
  const base58 = (bytes: Buffer): string => {
    let value = BigInt(`0x${bytes.toString('hex')}`)
    let text = ''
    for (; value > 0n; value /= 58n) text = letters[Number(value % 58n)] + text
    return '1'.repeat(bytes.findIndex((byte) => byte !== 0)) + text
  }
  const phantom = (): Phantom => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519')
    return { address: base58(publicKey.export({ format: 'der', type: 'spki' }).subarray(12)), key: privateKey }
  }
  const ask = async (wallet: Phantom) =>
    (await askChallenge(server, wallet.address, { namespace: 'solana' })).body.message as string

  test('a Solana wallet signs in, its signature in base64, base58 or hexadecimal', async () => {
    const wallet = phantom()
    const ids = new Set<unknown>()
    for (const write of [(b: Buffer) => b.toString('base64'), base58, (b: Buffer) => b.toString('hex')]) {
      const message = await ask(wallet)
      expect(message).toContain('wants you to sign in with your Solana account:')
      const answer = await present(server, { message, signature: write(sign(null, Buffer.from(message), wallet.key)) })
      expect([200, 201]).toContain(answer.status)
      expect(answer.body).toMatchObject({ solAddress: wallet.address, solAccounts: [wallet.address] })
      ids.add(answer.body.objectId)
    }
    expect(ids.size).toBe(1)
  })

  test('S28: a signature over bytes that are no sign-in text, over altered text, or by another key is refused', async () => {
    const wallet = phantom()
    const message = await ask(wallet)
    const transaction = Buffer.concat([
      Buffer.from([1]),
      Buffer.alloc(64),
      Buffer.from([1, 0, 1, 3]),
      Buffer.alloc(96 + 32),
    ])
    await expectRefused(
      { message: transaction.toString('latin1'), signature: sign(null, transaction, wallet.key).toString('base64') },
      400,
    )
    const readable = Buffer.from(transaction.toString('base64'))
    await expectRefused({
      message: readable.toString(),
      signature: sign(null, readable, wallet.key).toString('base64'),
    })
    await expectRefused({ message, signature: sign(null, transaction, wallet.key).toString('base64') })
    const altered = (await ask(wallet)).replace('mainnet', 'devnet')
    await expectRefused({
      message: altered,
      signature: sign(null, Buffer.from(altered), wallet.key).toString('base64'),
    })
    const foreign = await ask(wallet)
    await expectRefused({
      message: foreign,
      signature: sign(null, Buffer.from(foreign), phantom().key).toString('base64'),
    })
  })

  test('a hardware wallet signs the same text in its envelope', async () => {
    const wallet = phantom()
    const message = await ask(wallet)
    const body = Buffer.from(message)
    const envelope = Buffer.concat([
      Buffer.from([0xff]),
      Buffer.from('solana offchain'),
      Buffer.from([0, 0, body.length & 255, body.length >> 8]),
      body,
    ])
    expect(
      (await present(server, { message, signature: sign(null, envelope, wallet.key).toString('base64') })).status,
    ).toBe(201)
  })
})
