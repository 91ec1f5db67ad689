import { expect, test } from 'vitest'
import { createTestServer } from '../testing/createTestServer.ts'

test('D9: in production the page is not to offer the demo wallet', async () => {
  const server = await createTestServer({ production: true, publicUrl: 'https://app.example' })
  const response = await fetch(`${server.url}/config.json`)
  expect(await response.json()).toMatchObject({ demoWallet: false, serverUrl: '/server' })
  await server.stop()
})
