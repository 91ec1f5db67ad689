import { createClient } from '@countersign/react/core'
import { cleanup, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { createOfflineDevice, openOfflinePage } from '../../react/src/testing/openOfflineDevice.ts'
import { serveTests } from '../../react/src/testing/serveTests.ts'
import { MoralisProvider, useMoralis } from './index.ts'
import type { Loose } from './Loose.ts'

const server = serveTests({ offline: { classes: ['Note'] }, allowClientClassCreation: true })
beforeEach(() => vi.stubGlobal('WebSocket', WebSocket))
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function openMoralis(client: Loose) {
  const wrapper = ({ children }: { children: ReactNode }) => (
    <MoralisProvider client={client} initializeOnMount={false}>
      {children}
    </MoralisProvider>
  )
  return renderHook(() => useMoralis(), { wrapper }).result.current.Moralis as Loose
}

test('the older names of the local datastore read and write the store on the device', async () => {
  const device = await createOfflineDevice(server)
  const page = await openOfflinePage(server, device, { classes: ['Note'] })
  const Moralis = openMoralis(page.client)
  Moralis.enableLocalDatastore()
  expect(Moralis.isLocalDatastoreEnabled()).toBe(true)
  const Note = Moralis.Object.extend('Note')
  const local = () => new Moralis.Query('Note').equalTo('of', 'local').ascending('n').fromLocalDatastore()
  expect(await local().find()).toEqual([])
  device.cut()
  const made = await Promise.all([1, 2, 3].map((n) => new Note().saveEventually({ of: 'local', n })))
  await made[0].pin()
  await Moralis.Object.pinAll(made)
  expect((await local().find()).map((note: Loose) => note.get('n'))).toEqual([1, 2, 3])
  expect(await local().count()).toBe(3)
  expect((await local().greaterThan('n', 1).first()).get('n')).toBe(2)
  expect((await local().get(made[2].id)).get('n')).toBe(3)
  const seen: number[] = []
  await local().each((note: Loose) => void seen.push(note.get('n')))
  expect(seen).toEqual([1, 2, 3])
  made[0].increment('n', 10)
  await made[0].saveEventually()
  await made[1].destroyEventually()
  expect((await local().find()).map((note: Loose) => note.get('n'))).toEqual([3, 11])
  device.join()
  const where = encodeURIComponent(JSON.stringify({ of: 'local' }))
  await vi.waitFor(
    async () => {
      const { results } = await server.asMaster('GET', `/classes/Note?order=n&where=${where}`)
      expect((results as { n: number }[]).map(({ n }) => n)).toEqual([3, 11])
    },
    { timeout: 60_000, interval: 50 },
  )
  await made[0].unPin()
  page.kill()
  device.remove()
})

test('without a store on the device they say what is missing', async () => {
  const Moralis = openMoralis(createClient({ appId: server.appId, serverUrl: server.serverUrl }))
  expect(Moralis.isLocalDatastoreEnabled()).toBe(false)
  expect(() => Moralis.enableLocalDatastore()).toThrow('Nothing is kept on this device.')
  expect(() => new Moralis.Query('Note').fromLocalDatastore()).toThrow('Note is not kept on this device.')
  const note = new Moralis.Object('Note')
  for (const act of ['pin', 'unPin', 'saveEventually', 'destroyEventually'])
    await expect(note[act]()).rejects.toThrow('Note is not kept on this device.')
})
