// @vitest-environment happy-dom
import { act, cleanup, configure, render, screen, waitFor } from '@testing-library/react'
import * as React from 'react'
import { Component, type ReactNode, StrictMode, Suspense } from 'react'
import { renderToString } from 'react-dom/server'
import { afterEach, expect, test, vi } from 'vitest'
import { CountersignProvider } from '../../components/CountersignProvider.tsx'
import type { Client } from '../../core/client/Client.ts'
import { defineQuery } from '../../core/documents/Query.ts'
import { createDocument } from '../../core/documents/saveDocuments.ts'
import { signOut } from '../../core/session/signOut.ts'
import { createClient } from '../../core/setup/createClient.ts'
import { initialize } from '../../core/setup/initialize.ts'
import { createTestClient, type ScriptedResponse } from '../../testClient/createTestClient.ts'
import { createMemory } from '../../testing/createMemory.ts'
import { useDocuments } from './useDocuments.ts'
import { useSuspenseDocument, useSuspenseDocumentCount, useSuspenseDocuments } from './useSuspenseDocuments.ts'

configure({ asyncUtilTimeout: 60_000 })
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

const documents = {
  Game: [
    { objectId: 'a', title: 'Chess' },
    { objectId: 'b', title: 'Go' },
  ],
}

class Boundary extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {}
  static getDerivedStateFromError(error: Error) {
    return { error }
  }
  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    return (
      <button type="button" onClick={() => this.setState({ error: undefined })}>
        {error.message}
      </button>
    )
  }
}

const page = (
  client: Client,
  children: ReactNode,
  Around: React.ComponentType<{ children: ReactNode }> = React.Fragment,
) => (
  <Around>
    <CountersignProvider client={client}>
      <Boundary>
        <Suspense fallback={<i>waiting</i>}>{children}</Suspense>
      </Boundary>
    </CountersignProvider>
  </Around>
)

function List() {
  const { data } = useSuspenseDocuments('Game', { order: ['title'] })
  return <p>{data.map(({ title }) => title).join()}</p>
}

for (const Around of [StrictMode, React.Fragment]) {
  test(`a component waits for its documents and asks once (${Around === StrictMode})`, async () => {
    const client = createTestClient({ documents })
    await act(async () => void render(page(client, [<List key="1" />, <List key="2" />], Around)))
    await waitFor(() => expect(screen.queryAllByText('Chess,Go')).toHaveLength(2))
    expect(client.requests).toHaveLength(1)
    await act(async () => void (await createDocument(client, 'Game', { title: 'Bridge' })))
    await waitFor(() => expect(screen.queryAllByText('Bridge,Chess,Go')).toHaveLength(2))
    expect(screen.queryByText('waiting'), 'what is read again stays on show').toBeNull()
  })
}

test('one document, a count and a selection', async () => {
  const client = createTestClient({ documents })
  function Show() {
    const { data: title } = useSuspenseDocument('Game', 'a', { select: ({ title }) => String(title) })
    const { data: count } = useSuspenseDocumentCount('Game', { where: { title: 'Go' } })
    return <p>{`${title} ${count}`}</p>
  }
  await act(async () => void render(page(client, <Show />)))
  await screen.findByText('Chess 1')
})

test('accepted staleness reaches the server, also of a defined query', async () => {
  const client = createTestClient({ documents })
  client.internal.wroteAt = performance.now() - 120_000
  function Show() {
    const { data: game } = useSuspenseDocument('Game', 'a', { maxStaleness: 30 })
    const { data: count } = useSuspenseDocumentCount('Game', { maxStaleness: 30 })
    const { data: total } = useSuspenseDocumentCount(defineQuery('Game', { maxStaleness: 60 }))
    return <p>{`${game.title} ${count} ${total}`}</p>
  }
  await act(async () => void render(page(client, <Show />)))
  await screen.findByText('Chess 2 2')
  expect(client.requests.map(({ input }) => Number(input.maxStaleness))).toEqual([30, 30, 60])
})

test('a first reading that fails goes to the error boundary, and its reset asks again', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let failure: ScriptedResponse | undefined = { status: 400, body: { code: 102, error: 'Bad query.' } }
  const client = createTestClient({ documents, respond: () => failure })
  await act(async () => void render(page(client, <List />)))
  const button = await screen.findByText('Bad query.')
  // Resetting while it still fails shows the error again, and does not turn in a circle.
  await act(async () => button.click())
  const again = await screen.findByText('Bad query.')
  const asked = client.requests.length
  failure = undefined
  await act(async () => again.click())
  await screen.findByText('Chess,Go')
  expect(client.requests.length).toBe(asked + 1)
})

test('the same with another component on show that reads the same', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  let failure: ScriptedResponse | undefined = { status: 400, body: { code: 102, error: 'Bad query.' } }
  const client = createTestClient({ documents, respond: () => failure })
  const Other = () => <b>{useDocuments('Game', { order: ['title'] }).status}</b>
  const both = (
    <CountersignProvider client={client}>
      <Other />
      <Boundary>
        <Suspense fallback="waiting">
          <List />
        </Suspense>
      </Boundary>
    </CountersignProvider>
  )
  await act(async () => void render(both))
  const button = await screen.findByText('Bad query.')
  failure = undefined
  await act(async () => button.click())
  await screen.findByText('Chess,Go')
  expect(screen.getByText('success')).toBeTruthy()
})

test('a refetch that fails keeps the list', async () => {
  let failure: ScriptedResponse | undefined
  const client = createTestClient({ documents, respond: () => failure })
  function Show() {
    const { data, error, refetch } = useSuspenseDocuments('Game')
    return (
      <button type="button" onClick={() => void refetch()}>
        {`${data.length} ${error?.code ?? 'fine'}`}
      </button>
    )
  }
  await act(async () => void render(page(client, <Show />)))
  const button = await screen.findByText('2 fine')
  failure = { status: 429, body: { code: 155, error: 'Too many requests.' } }
  await act(async () => button.click())
  await screen.findByText('2 155')
})

test('another user waits for their own documents', async () => {
  const client = createTestClient({ user: { username: 'ada' }, documents })
  await act(async () => void render(page(client, <List />)))
  await screen.findByText('Chess,Go')
  client.server.delete('Game', 'a')
  await act(() => signOut(client))
  await screen.findByText('Go')
})

test('it waits for the initialization, and an error of that is thrown', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => undefined)
  const client = createClient({ storage: createMemory() })
  await act(async () => void render(page(client, <List />)))
  expect(screen.getByText('waiting')).toBeTruthy()
  await act(() => initialize(client, { serverUrl: 'http://server.test' }))
  await screen.findByText(/No appId is provided/)
})

test('on a server nothing is read: the fallback is sent', () => {
  const client = createTestClient({ documents })
  vi.stubGlobal('window', undefined)
  try {
    expect(renderToString(page(client, <List />))).toContain('<i>waiting</i>')
  } finally {
    vi.unstubAllGlobals()
  }
  expect(client.requests).toEqual([])
})
