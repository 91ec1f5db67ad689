import { CountersignProvider, useDocuments, useLiveDocuments, useSaveDocument, useSession } from '@countersign/react'
import { createRoot } from 'react-dom/client'
import { readQuery } from '../lib/readQuery.ts'

const { appId, serverUrl, session } = readQuery()

const toText = (rows: readonly { readonly [field: string]: unknown }[] = []) => rows.map(({ n }) => String(n)).join()

/** Rows by both hooks, with their state. */
function Rows() {
  const session = useSession()
  const rows = useDocuments('Row', { order: ['n'] })
  const live = useLiveDocuments('Row', { order: ['n'] })
  const { create } = useSaveDocument('Row', { optimistic: true })
  return (
    <>
      <output id="session">{`${session.status} ${session.user?.username ?? ''}`}</output>
      <output id="rows">{toText(rows.data)}</output>
      <output id="state">{`${rows.status}${rows.isStale ? ' stale' : ''}`}</output>
      <output id="live">{toText(live.data)}</output>
      <button type="button" onClick={() => create({ n: (rows.data?.length ?? 0) + 1 })}>
        Add
      </button>
      <button type="button" onClick={() => rows.refetch()}>
        Read
      </button>
    </>
  )
}

createRoot(document.getElementById('root') as HTMLElement).render(
  <CountersignProvider appId={appId} serverUrl={serverUrl} session={session as 'cookie' | 'storage'} initializeOnMount>
    <Rows />
  </CountersignProvider>,
)
