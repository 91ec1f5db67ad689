// @vitest-environment happy-dom
// @vitest-environment-options { "url": "http://localhost:3000" }
import { QueryClient } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'

test('a like is shown and kept', async () => {
  const game = { id: 'g1', title: 'Go', likes: 1, cover: null, owner: 'u1' }
  const answers: Record<string, () => unknown> = {
    '/api/auth/get-session': () => ({ session: { id: 's1' }, user: { id: 'u1', name: 'ada' } }),
    '/api/games': () => ({ games: [game], hasMore: false }),
    '/api/averageLikes': () => ({ average: 1 }),
    '/api/games/g1/like': () => Object.assign(game, { likes: game.likes + 1 }),
  }
  vi.stubGlobal('fetch', async (input: string | URL | Request) => {
    const { pathname } = new URL(input instanceof Request ? input.url : input, 'http://localhost:3000')
    return answers[pathname] ? Response.json(answers[pathname]()) : Response.json({ message: 'No.' }, { status: 404 })
  })
  const { App } = await import('./app.tsx') // After the stub: the client of better-auth keeps the `fetch` that it finds.
  render(<App client={new QueryClient()} />)
  fireEvent.click(await screen.findByDisplayValue('1 likes'))
  await screen.findByDisplayValue('2 likes')
  await vi.waitFor(() => expect(game.likes).toBe(2))
})
