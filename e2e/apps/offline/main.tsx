import { CountersignProvider, useDocuments, useSession } from '@countersign/react'
import {
  createClient,
  createDocument,
  defineQuery,
  op,
  pointer,
  saveDocument,
  signInWithPassword,
  signOut,
  signUp,
} from '@countersign/react/core'
import { offline, SyncStatus, usePendingWrites } from '@countersign/react/offline'
import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { readQuery } from '../lib/readQuery.ts'

const { appId, serverUrl } = readQuery()

const client = createClient({
  appId,
  serverUrl,
  session: 'storage',
  throwOnError: true,
  offline: offline({ classes: ['Note', 'Plan'], confirmLoss: () => true }),
})

const notes = defineQuery('Note', { order: ['n'], limit: 1_000 })

function Notes() {
  const session = useSession()
  const list = useDocuments(notes)
  const plans = useDocuments('Plan', { order: ['text'] })
  const { pending, failed, isCurrent } = usePendingWrites()
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

const startedAt = performance.now()
/** Ids of creates that have resolved; the test reads them before it kills the tab. */
const acknowledged: string[] = []
const actions = {
  acknowledged: () => acknowledged,
  signUp: async (username: string, password: string) => void (await signUp(client, { username, password })),
  signIn: async (username: string, password: string) => void (await signInWithPassword(client, { username, password })),
  signOut: () => signOut(client),
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
