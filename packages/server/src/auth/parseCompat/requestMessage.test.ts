import { describe, expect, test } from 'vitest'
import {
  createOlderClient,
  installation,
  type Key,
  newAccount,
  proof,
} from '../../testing/accounts/createOlderClient.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()

const { getTime } = createOlderClient(() => server)

describe('whole messages', () => {
  const ask = async (key: Key, parameters: object = {}, options = installation()) => {
    const { body } = await server.call(
      'POST',
      '/functions/requestMessage',
      { address: key.address, chain: 1, networkType: 'evm', ...parameters },
      options,
    )
    return (body.result as { message: string }).message
  }

  test('requestMessage gives an EIP-4361 text; the next time is null, so that the client signs it as it is', async () => {
    const key = newAccount()
    const message = await ask(key)
    expect(message).toMatch(/^localhost:\d+ wants you to sign in with your Ethereum account:\n0x/)
    const time = await server.call('POST', '/functions/getServerTime', {}, installation())
    expect(time.body).toEqual({ result: null })
    expect(await getTime()).toMatch(/ Nonce: [0-9a-f]{32}$/)
    const answer = await server.call('POST', '/users', await proof(key, message), installation())
    expect([answer.status, answer.body.ethAddress]).toEqual([201, key.address.toLowerCase()])
    const repeated = await server.call('POST', '/users', await proof(key, message), installation())
    expect([repeated.status, repeated.body.code]).toEqual([404, 101])
  })

  test('another installation does not get null, and cannot use the message', async () => {
    const key = newAccount()
    const message = await ask(key)
    expect(await getTime(installation('other'))).toMatch(/ at /)
    expect((await server.call('POST', '/users', await proof(key, message), installation('other'))).body.code).toBe(119)
    await server.call('POST', '/functions/getServerTime', {}, installation())
  })

  test('S9: a message for one address does not sign in another, with any id', async () => {
    const [key, victim] = [newAccount(), newAccount()]
    const message = await ask(key)
    const { status, body } = await server.call(
      'POST',
      '/users',
      await proof(key, message, victim.address.toLowerCase()),
      installation(),
    )
    expect([status, body.code]).toEqual([404, 101])
    await server.call('POST', '/functions/getServerTime', {}, installation())
  })

  test.each([
    [{ address: 'nonsense' }, 162],
    [{ chain: 999_999_999 }, 162],
    [{ networkType: 'dot' }, 162],
    [{ address: null }, 162],
    [{ purpose: 'link' }, 209],
  ])('refuses %j', async (parameters, code) => {
    const input = { address: newAccount().address, chain: 1, networkType: 'evm', ...parameters }
    expect((await server.call('POST', '/functions/requestMessage', input, installation())).body.code).toBe(code)
  })
})
