import { expect, test } from 'vitest'
import { createPasskeyCalls } from '../../testing/accounts/createPasskeyCalls.ts'
import { serveTests } from '../../testing/serveTests.ts'

const server = serveTests()

const { createHolder, signUp, list } = createPasskeyCalls(() => server)

test('a passkey is renamed by its owner alone, within bounds', async () => {
  const { token } = await createHolder()
  const [{ objectId = '' } = {}] = (await list(token)) as { objectId?: string }[]
  const rename = (name: unknown, as?: string) =>
    server.call('PUT', `/auth/passkeys/${objectId}`, { name }, as === undefined ? {} : { token: as })
  expect((await rename('  Work phone ', token)).body).toMatchObject({ objectId, name: 'Work phone' })
  expect(await list(token)).toMatchObject([{ name: 'Work phone' }])
  expect((await rename('Mine', (await signUp('stranger')).token)).body.code).toBe(101)
  expect((await rename('Mine')).body.code).toBe(209)
  for (const name of ['', '   ', 5, 'x'.repeat(1_000)]) {
    expect((await rename(name, token)).body.reason, String(name)).toBe('invalidInput')
  }
  expect((await rename('Ph\u200bone', token)).body.reason).toBe('hiddenCharacters')
  expect(await list(token)).toMatchObject([{ name: 'Work phone' }])
})
