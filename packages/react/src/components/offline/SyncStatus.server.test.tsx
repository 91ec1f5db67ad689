// @vitest-environment happy-dom
import { act, cleanup, configure, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket as NodeSocket } from 'ws'
import { createDocument } from '../../core/documents/saveDocuments.ts'
import { signUp } from '../../core/session/signUp.ts'
import { createOfflineDevice, openOfflinePage } from '../../testing/openOfflineDevice.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { CountersignProvider } from '../CountersignProvider.tsx'
import { otherStatusWords } from './otherStatusWords.ts'
import { SyncStatus } from './SyncStatus.tsx'
import { english } from './statusWords.ts'

const statusWords = { en: english, ...otherStatusWords }

configure({ asyncUtilTimeout: 60_000 })
const server = serveTests()
beforeEach(() => vi.stubGlobal('WebSocket', NodeSocket))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('says what waits and what was refused, in the language of the page, with buttons that work', async () => {
  const device = await createOfflineDevice(server)
  const { happyDOM } = window as unknown as { happyDOM: { setURL(url: string): void } }
  happyDOM.setURL(new URL('/', device.serverUrl).href)
  const { client, kill } = await openOfflinePage(server, device, { classes: ['Strict'] })
  await signUp(client, { username: 'ada', password: 'correct horse battery' })
  await server.asMaster('POST', '/schemas/Strict', { className: 'Strict', fields: { n: { type: 'Number' } } })
  const show = (language: keyof typeof statusWords) => (
    <CountersignProvider client={client} language={language}>
      <SyncStatus />
    </CountersignProvider>
  )
  const { rerender } = render(show('de'))
  await waitFor(() => expect(screen.getByRole('status').textContent).toBe(statusWords.de.current))
  device.cut()
  await waitFor(() => expect(screen.getByRole('status').textContent).toContain('Offline, Stand'))
  await act(() => createDocument(client, 'Strict', { n: 'no number' }))
  expect(screen.getByRole('status').textContent).toContain('Noch zu senden: 1')
  for (const language of Object.keys(statusWords) as (keyof typeof statusWords)[]) {
    rerender(show(language))
    const [wait = ''] = statusWords[language].waiting.split('{')
    await waitFor(() => expect(screen.getByRole('status').textContent).toContain(wait))
    expect(screen.getByRole('status').textContent).not.toMatch(/[{}]/)
  }
  rerender(show('en'))
  device.join()
  const discard = await screen.findByRole('button', { name: statusWords.en.discard })
  expect(screen.getByRole('alert').textContent).toContain('Not saved:')
  expect(screen.getByRole('status').textContent).not.toContain(statusWords.en.current)
  await act(async () => discard.click())
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull())
  kill()
  device.remove()
})
