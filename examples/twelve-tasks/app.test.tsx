// @vitest-environment happy-dom
import { createTestClient } from '@countersign/react/testing'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { App } from './app.tsx'

test('a like is shown and kept', async () => {
  const client = createTestClient({ user: { username: 'ada' }, documents: { Game: [{ title: 'Go', likes: 1 }] } })
  render(<App client={client} />)
  fireEvent.click(await screen.findByDisplayValue('1 likes'))
  await screen.findByDisplayValue('2 likes')
  await vi.waitFor(() => expect(client.server.list('Game')[0]?.likes).toBe(2))
})
