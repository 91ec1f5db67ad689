// @vitest-environment node
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { WebSocket as NodeSocket } from 'ws'
import { createOfflineDevice, type OfflinePage, openOfflinePage } from '../../testing/openOfflineDevice.ts'
import { serveTests } from '../../testing/serveTests.ts'
import { deleteDocument } from '../documents/deleteDocuments.ts'
import { increment } from '../documents/op.ts'
import { defineQuery } from '../documents/Query.ts'
import { createDocument, saveDocument } from '../documents/saveDocuments.ts'
import { pointer } from '../documents/values.ts'
import { documentsReading } from '../live/documentReadings.ts'
import { signInWithPassword } from '../session/signInWithPassword.ts'
import { signUp } from '../session/signUp.ts'
import { offlineOf } from './offline.ts'

/**
 * All of them: OFFLINE_RUNS=5000 COUNTERSIGN_LONG_RUN=on npx vitest run --project react histories. Some of them, such as
 * the eighth and the tenth: OFFLINE_ONLY=8,10 with the same number and seed.
 */
const runs = Number(process.env.OFFLINE_RUNS ?? 6)
const seed = Number(process.env.OFFLINE_SEED ?? 1)
const only = process.env.OFFLINE_ONLY?.split(',').map(Number)

/** Histories mostly wait for timers, so several are played at once. Each has its own user, devices and documents. */
const atOnce = 8

// The machine may be slow; an overloaded server refuses the sign-ups that are no part of a history.
const server = serveTests({ offline: { classes: ['History'] }, overloadDelay: 0 })
beforeAll(() => {
  vi.stubGlobal('WebSocket', NodeSocket)
  vi.stubGlobal('navigator', { onLine: true })
  // A device has one page at a time. In this process, the channels of killed pages would still respond.
  vi.stubGlobal('BroadcastChannel', undefined)
})
afterAll(() => vi.unstubAllGlobals())

const device = fc.nat(1)
const document = fc.nat(2)
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('create' as const), device }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('add' as const), device, document }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('set' as const), device, document }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete' as const), device, document }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('cut' as const), device }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('join' as const), device }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('crash' as const), device }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('lose' as const), device }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('wait' as const), device }) },
)
type Step = typeof step extends fc.Arbitrary<infer One> ? One : never

const waiting = { timeout: 120_000, interval: 20 }
const later = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds))
let counter = 0

async function play(steps: readonly Step[]): Promise<void> {
  const own = ++counter
  const username = `history${own}x${seed}`
  const password = 'correct horse battery'
  const devices = [await createOfflineDevice(server), await createOfflineDevice(server)]
  const pages: OfflinePage[] = []
  const open = (index: number) => openOfflinePage(server, devices[index] as never, { classes: ['History'] })
  for (const index of [0, 1]) pages[index] = await open(index)
  const [one, other] = pages as [OfflinePage, OfflinePage]
  const user = await signUp(one.client, { username, password })
  await signInWithPassword(other.client, { username, password })
  const ACL = { [String(user?.objectId)]: { read: true, write: true } }
  const acknowledged = new Map<string, number>()
  const deleted = new Set<string>()
  const listOf = (page: OfflinePage) => {
    const query = defineQuery('History', { order: ['objectId'], limit: 1_000 })
    const { data = [] } = documentsReading(page.client, query).peek.get()
    return data as readonly { objectId: string; n: number; title?: string; updatedAt: Date }[]
  }
  for (const { kind, device, ...rest } of steps) {
    const page = pages[device] as OfflinePage
    const rows = listOf(page)
    const chosen = 'document' in rest ? rows[rest.document % Math.max(rows.length, 1)] : undefined
    if (kind === 'create') {
      const made = await createDocument(page.client, 'History', { n: 0, of: own, ACL })
      acknowledged.set(made.objectId, 0)
    } else if (kind === 'cut') devices[device]?.cut()
    else if (kind === 'join') devices[device]?.join()
    else if (kind === 'lose') page.loseResponses += 2
    else if (kind === 'wait') await later(60)
    else if (kind === 'crash') {
      page.kill()
      pages[device] = await open(device)
    } else if (chosen) {
      const target = pointer('History', chosen.objectId)
      if (kind === 'add') {
        await saveDocument(page.client, target, { n: increment(1) })
        acknowledged.set(chosen.objectId, (acknowledged.get(chosen.objectId) ?? 0) + 1)
      } else if (kind === 'set') await saveDocument(page.client, target, { title: `t${own} ${Math.random()}` })
      else {
        await deleteDocument(page.client, target)
        deleted.add(chosen.objectId)
      }
    }
  }
  for (const one of devices) one.join()
  for (const page of pages) page.loseResponses = 0
  for (const page of pages)
    await vi.waitFor(
      () => expect(offlineOf(page.client).pending.get()).toMatchObject({ pending: [], isCurrent: true }),
      waiting,
    )
  const where = encodeURIComponent(JSON.stringify({ of: own }))
  const { results } = await server.asMaster('GET', `/classes/History?limit=1000&order=objectId&where=${where}`)
  const rows = (results as { objectId: string; n: number; title?: string; updatedAt: string }[]).map(
    ({ objectId, n, title, updatedAt }) => ({ objectId, n, title, updatedAt }),
  )
  for (const page of pages) {
    const shown = () =>
      listOf(page).map(({ objectId, n, title, updatedAt }) => ({
        objectId,
        n,
        title,
        updatedAt: updatedAt.toISOString(),
      }))
    await vi.waitFor(() => expect(shown()).toEqual(rows), waiting)
  }
  // Every acknowledged write is there once, or was reported as refused; only what was deleted may be gone.
  const refused = pages.flatMap((page) => offlineOf(page.client).pending.get().failed)
  for (const [objectId, amount] of acknowledged) {
    const row = rows.find((found) => found.objectId === objectId)
    if (!row) expect([objectId, deleted.has(objectId)]).toEqual([objectId, true])
    else {
      const lost = refused.filter(({ parts }) =>
        parts.some((part) => part.objectId === objectId && part.fields?.n),
      ).length
      expect(row.n).toBe(amount - lost)
    }
  }
  for (const page of pages) page.kill()
  for (const one of devices) one.remove()
}

test(
  `${runs} histories of two devices and a server converge, and no acknowledged write is lost or doubled`,
  async () => {
    const histories = fc.sample(fc.array(step, { minLength: 10, maxLength: 30 }), { numRuns: runs, seed }).entries()
    const failures: Error[] = []
    let played = 0
    const playInTurn = async () => {
      for (const [index, steps] of histories) {
        if (only && !only.includes(index + 1)) continue
        await play(steps).catch((cause: unknown) => {
          console.log(`History ${index + 1} of seed ${seed}: ${JSON.stringify(steps)}`, cause)
          failures.push(new Error(`History ${index + 1} of seed ${seed}`, { cause }))
        })
        if (++played % 100 === 0) console.log(`${played} histories, ${failures.length} failed`)
      }
    }
    await Promise.all(Array.from({ length: atOnce }, playInTurn))
    expect(failures).toEqual([])
    expect(played).toBe(only?.length ?? runs)
  },
  600_000 + runs * 30_000,
)
