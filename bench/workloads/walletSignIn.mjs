import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { createWallet } from '../wallet/createWallet.mjs'
import { recoverAddress } from '../wallet/recoverAddress.mjs'
import { writeMessage } from '../wallet/writeMessage.mjs'

/** @typedef {import('../types.d.ts').Wallet} Wallet */
/**
 * The whole sign-in: both requests with the signature between them. The result is the signed-in user.
 *
 * @typedef {(target: import('../types.d.ts').Target, wallet: Wallet, send: import('../types.d.ts').Send, status: number) => Promise<{ id: string, address: string }>} SignIn
 */

/** @param {import('../types.d.ts').Answer} answer @param {number} expected */
const read = ({ status, body }, expected) => {
  assert.equal(status, expected, body)
  return JSON.parse(body)
}

/** @type {(signIn: SignIn) => import('../types.d.ts').Wire} */
const wire = (signIn) => ({
  // The first sign-in makes the account, so that the rounds see returning users alone.
  prepare: async (target, { accounts, send }) => {
    const forger = { ...createWallet(), sign: createWallet().sign }
    await assert.rejects(signIn(target, forger, send, 201), assert.AssertionError, 'a forged signature was let in')
    const members = []
    for (const _ of accounts) {
      const wallet = createWallet()
      const { id, address } = await signIn(target, wallet, send, 201)
      assert.equal(address.toLowerCase(), wallet.address.toLowerCase())
      members.push({ wallet, id })
    }
    assert.equal(new Set(members.map(({ id }) => id)).size, accounts.length)
    return members
  },
  run: async (target, { prepared, turn }, send) => {
    const { wallet, id } = /** @type {{ wallet: Wallet, id: string }[]} */ (prepared)[turn]
    const found = await signIn(target, wallet, send, 200)
    assert.equal(found.id, id)
    assert.equal(found.address.toLowerCase(), wallet.address.toLowerCase())
  },
})

/** @type {import('../types.d.ts').Workload} */
export const workload = {
  name: 'walletSignIn',
  order: 4,
  title: 'Wallet sign-in',
  about:
    'A returning user proves a key (EIP-191): asks for a nonce, signs, and gets a new session. Every figure is for both requests together.',
  unit: 'sign-in',
  wires: {
    countersign: wire(async ({ mount, applicationId }, wallet, send, status) => {
      const headers = { 'X-Parse-Application-Id': applicationId, 'X-Parse-Installation-Id': wallet.installationId }
      const body = { address: wallet.address, chainId: 1 }
      const { message } = read(await send({ method: 'POST', path: `${mount}/auth/challenge`, headers, body }), 200)
      const proof = { message, signature: wallet.sign(message) }
      const path = `${mount}/auth/signInWithWallet`
      const user = read(await send({ method: 'POST', path, headers, body: proof }), status)
      assert.match(user.sessionToken, /^r:/)
      return { id: user.objectId, address: user.ethAddress }
    }),
    'parse-server': wire(async ({ port, mount, applicationId }, wallet, send, status) => {
      const headers = {
        'X-Parse-Application-Id': applicationId,
        'X-Parse-Installation-Id': wallet.installationId,
        'X-Parse-Revocable-Session': '1',
      }
      const body = { challengeData: { wallet: {} } }
      const { challengeData } = read(await send({ method: 'POST', path: `${mount}/challenge`, headers, body }), 200)
      const message = writeMessage({ port, address: wallet.address, nonce: challengeData.wallet.nonce })
      const authData = { wallet: { id: wallet.address.toLowerCase(), message, signature: wallet.sign(message) } }
      const user = read(await send({ method: 'POST', path: `${mount}/users`, headers, body: { authData } }), status)
      assert.match(user.sessionToken, /^r:/)
      return { id: user.objectId, address: status === 200 ? user.authData.wallet.id : wallet.address }
    }),
    'better-auth': wire(async ({ port, mount }, wallet, send) => {
      const { nonce } = read(await send({ method: 'POST', path: `${mount}/siwe/nonce`, body: {} }), 200)
      const message = writeMessage({ port, address: wallet.address, nonce })
      const body = { message, signature: wallet.sign(message) }
      const answer = await send({ method: 'POST', path: `${mount}/siwe/verify`, body })
      const { user } = read(answer, 200)
      assert.match(answer.headers, /set-cookie: better-auth\.session_token=/i)
      return { id: user.id, address: user.walletAddress }
    }),
    ceiling: wire(async ({ port }, wallet, send, status) => {
      const { nonce } = read(await send({ method: 'POST', path: '/nonce' }), 200)
      const message = writeMessage({ port, address: wallet.address, nonce })
      const body = { message, signature: wallet.sign(message) }
      const session = read(await send({ method: 'POST', path: '/walletSignIn', body }), status)
      assert.match(session.token, /^r:/)
      return session
    }),
  },
  ceiling: async (app, { query }) => {
    await query({
      name: 'createNonces',
      text: 'create table if not exists nonces (nonce text primary key, expires_at timestamptz not null)',
      values: [],
    })
    await query({
      name: 'createWallets',
      text: 'create table if not exists wallets (address text primary key, user_id text not null references users (id))',
      values: [],
    })
    app.post('/nonce', async () => {
      const nonce = randomBytes(16).toString('hex')
      await query({
        name: 'createNonce',
        text: `insert into nonces (nonce, expires_at) values ($1, now() + interval '10 minutes')`,
        values: [nonce],
      })
      return { nonce }
    })
    app.post('/walletSignIn', async (request, reply) => {
      const { message, signature } = /** @type {{ message: string, signature: string }} */ (request.body)
      const [known] = await query({
        name: 'consumeNonce',
        text: 'delete from nonces where nonce = $1 and expires_at > now() returning nonce',
        values: [/\nNonce: (\w+)\n/.exec(message)?.[1]],
      })
      const address = /\n(0x\w{40})\n/.exec(message)?.[1]?.toLowerCase()
      if (!known || !address || recoverAddress(message, signature) !== address)
        return reply.code(401).send({ error: 'not proven' })
      const token = `r:${randomBytes(24).toString('base64url')}`
      const tokenHash = createHash('sha256').update(token).digest()
      const [session] = await query({
        name: 'createWalletSession',
        text: `insert into sessions (token_hash, user_id, expires_at)
               select $1, user_id, now() + interval '1 year' from wallets where address = $2 returning user_id`,
        values: [tokenHash, address],
      })
      if (session) return { id: session.user_id, address, token }
      const id = randomBytes(8).toString('base64url')
      await query({
        name: 'createWalletUser',
        text: `with made as (insert into users (id, username, password_hash) values ($1, $2, '') returning id),
                 named as (insert into wallets (address, user_id) select $2, id from made)
               insert into sessions (token_hash, user_id, expires_at)
               select $3, id, now() + interval '1 year' from made`,
        values: [id, address, tokenHash],
      })
      return reply.code(201).send({ id, address, token })
    })
  },
}
