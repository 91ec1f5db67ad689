import type { Activity } from '../Activity.ts'
import { type ListActivityInput, listActivity } from '../actions/listActivity.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'

type ActivityReading = Reading<readonly Activity[]>

const most = 100
const readings = new WeakMap<Client, Map<string, ActivityReading>>()

/** The one reading of a page of the user's activity that all hooks of a client share which ask for it. */
export function getActivityReading(client: Client, input: ListActivityInput = {}): ActivityReading {
  const pages = readings.get(client) ?? openPages(client)
  const key = JSON.stringify([input.before, input.limit, input.actions, input.userAgents])
  const known = pages.get(key)
  if (known) return known
  const made = createReading<readonly Activity[]>(
    client,
    (client, callbacks) => listActivity(client, input, callbacks),
    ({ internal }) => internal.current?.record.objectId,
  )
  for (const [name, page] of pages) if (pages.size >= most && !page.isWatched()) pages.delete(name)
  pages.set(key, made)
  return made
}

function openPages(client: Client): Map<string, ActivityReading> {
  const pages = new Map<string, ActivityReading>()
  readings.set(client, pages)
  const invalidate = () => {
    for (const page of pages.values()) page.invalidate()
  }
  client.internal.readings.set('listActivity', { invalidate })
  return pages
}
