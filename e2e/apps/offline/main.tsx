import { CountersignProvider, useDocuments, useSession } from '@countersign/react'
import {
  createClient,
  createDocument,
  defineQuery,
  initialize,
  op,
  pointer,
  saveDocument,
  signInWithPassword,
  signOut,
  signUp,
  watchDocuments,
} from '@countersign/react/core'
import {
  createPasskeyKey,
  encryptStore,
  offline,
  openIndexedDb,
  SyncStatus,
  usePendingWrites,
} from '@countersign/react/offline'
import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { readQuery } from '../lib/readQuery.ts'
import '@countersign/react/sheet.css'

const { appId, serverUrl, encrypted } = readQuery()

const store = encrypted ? encryptStore(openIndexedDb(), createPasskeyKey()) : openIndexedDb()

const client = createClient({
  appId,
  serverUrl,
  session: 'storage',
  throwOnError: true,
  offline: offline({ classes: ['Note', 'Plan'], confirmLoss: () => true, store }),
})

const notes = defineQuery('Note', { order: ['n'], limit: 1_000 })

function Notes() {
  const session = useSession()
  const list = useDocuments(notes)
  const plans = useDocuments('Plan', { order: ['text'] })
  const { pending, failed, isCurrent, isKept } = usePendingWrites()
  useEffect(() => {
    // Read by the test: milliseconds from the start of the script to the rows.
    if (list.data?.length) document.body.dataset.shownAfter ??= String(Math.round(performance.now() - startedAt))
  }, [list.data])
  return (
    <>
      <output id="session">{`${session.status} ${session.user?.username ?? ''}`}</output>
      <output id="state">{`${list.status}${list.isStale ? ' stale' : ''}`}</output>
      <output id="count">{list.data?.length ?? ''}</output>
      <output id="pending">{pending.length}</output>
      <output id="failed">{failed.length}</output>
      <output id="current">{String(isCurrent)}</output>
      <output id="kept">{String(isKept)}</output>
      <SyncStatus />
      <ul id="plans">
        {plans.data?.map((plan) => (
          <li key={plan.objectId}>{String(plan.text)}</li>
        ))}
      </ul>
      <ul id="notes">
        {list.data?.map((note) => (
          <li key={note.objectId} id={note.objectId}>{`${note.n} ${note.text ?? ''} ${note.total ?? ''}`}</li>
        ))}
      </ul>
    </>
  )
}

/** Milliseconds from a component's subscription to its data; the median of several, in two clients of this session. */
async function measure() {
  const took = async (reader: typeof client, turn: number) => {
    // Each time another question: known data would be there already.
    const store = watchDocuments(reader, 'Note', { order: ['n'], limit: 1_000, where: { n: { $gte: -turn } } })
    const start = performance.now()
    await new Promise<void>((resolve) => {
      const stop = store.subscribe(() => {
        if (store.get().data?.length !== 1_000) return
        resolve()
        stop()
      })
    })
    return performance.now() - start
  }
  const plain = createClient({ appId, serverUrl, session: 'storage', throwOnError: true })
  await initialize(plain)
  const times: [number, number][] = []
  for (let turn = 0; turn < 15; turn++) times.push([await took(client, turn), await took(plain, turn)])
  const median = (place: 0 | 1) => times.map((pair) => pair[place]).sort((one, other) => one - other)[7] ?? 0
  return { device: Math.round(median(0) * 10) / 10, server: Math.round(median(1) * 10) / 10 }
}

const startedAt = performance.now()
/** Ids of creates that have resolved; the test reads them before it kills the tab. */
const acknowledged: string[] = []
const actions = {
  acknowledged: () => acknowledged,
  signUp: async (username: string, password: string) => void (await signUp(client, { username, password })),
  signIn: async (username: string, password: string) => void (await signInWithPassword(client, { username, password })),
  signOut: () => signOut(client),
  measure,
  userId: () => client.session.get().user?.objectId,
  async create(from: number, to: number, fields = {}) {
    for (let n = from; n < to; n++) {
      const { objectId } = await createDocument(client, 'Note', { n, ...fields })
      acknowledged.push(objectId)
    }
  },
  add: async (objectId: string) =>
    void (await saveDocument(client, pointer('Note', objectId), { total: op.increment(1) })),
  say: async (objectId: string, text: string) => void (await saveDocument(client, pointer('Note', objectId), { text })),
}
Object.assign(window, { actions })

createRoot(document.getElementById('root') as HTMLElement).render(
  <CountersignProvider client={client} initializeOnMount>
    <Notes />
  </CountersignProvider>,
)
