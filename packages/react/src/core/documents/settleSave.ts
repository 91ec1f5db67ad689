import type { Client } from '../Client.ts'
import { refreshRecord } from '../session/refreshRecord.ts'
import { invalidateDocuments } from './invalidateDocuments.ts'

/** Objects of these classes have changed: whoever looks at them reads again, and so does the session its user. */
export async function settleSave(client: Client, objects: readonly { className: string; objectId?: string }[]) {
  for (const className of new Set(objects.map((object) => object.className))) invalidateDocuments(client, className)
  const user = client.internal.current?.record.objectId
  const isOwn = objects.some(({ className, objectId }) => className === '_User' && objectId === user)
  if (user && isOwn) await refreshRecord(client, undefined).catch(() => undefined)
}
