// @vitest-environment node
import { afterAll, expect, test, vi } from 'vitest'
import { startCounterpart } from '../../testing/startCounterpart.ts'
import type { Connection } from '../client/Client.ts'
import { sendRequest } from './sendRequest.ts'

const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})

afterAll(() => warn.mockRestore())

test('warns once if the session cookie cannot work on this page', async () => {
  let notice = 'cookie-origin https://id.acme.example'
  const counterpart = await startCounterpart(() => ({ body: {}, headers: { 'X-Countersign-Notice': notice } }))
  const connection = { appId: 'app', serverUrl: counterpart.serverUrl, installationId: 'i' } as Connection
  const send = (transport: Connection['transport']) =>
    sendRequest({}, { ...connection, transport }, 'requestPasswordReset', { email: 'ada@example.org' })
  try {
    await send('storage')
    expect(warn).not.toHaveBeenCalled()
    await send('cookie')
    await send('cookie')
    notice = 'cookie-insecure https://id.acme.example'
    await send('cookie')
    await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(2))
    expect(warn.mock.calls.flat()).toEqual([
      expect.stringMatching(/https:\/\/id\.acme\.example, so no cookie is set.*COUNTERSIGN_PUBLIC_URL/),
      expect.stringMatching(/not served over https.*https:\/\/id\.acme\.example/),
    ])
  } finally {
    await counterpart.close()
  }
})
