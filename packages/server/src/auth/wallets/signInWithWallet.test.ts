import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()

const asker = { headers: { 'X-Parse-Installation-Id': 'browser-one' } }

async function signIn(account = privateKeyToAccount(generatePrivateKey())) {
  const challenge = await server.call('POST', '/auth/challenge', { address: account.address, chainId: 1 }, asker)
  const message = challenge.body.message as string
  const signature = await account.signMessage({ message })
  return {
    account,
    message,
    signature,
    answer: await server.call('POST', '/auth/signInWithWallet', { message, signature }, asker),
  }
}

test('R19, R20: a wallet that signs our message gets an account for itself alone', async () => {
  const { account, message, signature, answer } = await signIn()
  expect(answer.status).toBe(201)
  expect(answer.body).toMatchObject({
    username: expect.stringMatching(/^[a-z]+-[a-z]+-\d+$/),
    accounts: [account.address.toLowerCase()],
    ethAddress: account.address.toLowerCase(),
    sessionToken: expect.stringMatching(/^r:/),
    ACL: { [answer.body.objectId as string]: { read: true, write: true } },
  })
  expect(answer.body).not.toHaveProperty('email')
  const again = await signIn(account)
  expect([again.answer.status, again.answer.body.objectId]).toEqual([200, answer.body.objectId])

  const session = await server.call('GET', '/sessions/me', undefined, {
    token: again.answer.body.sessionToken as string,
  })
  expect(session.body.proof).toEqual({ message: again.message, signature: again.signature })
  const repeated = await server.call('POST', '/auth/signInWithWallet', { message, signature }, asker)
  expect([repeated.status, repeated.body.code]).toEqual([401, 101])
})
