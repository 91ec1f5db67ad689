import type { Activity } from '../Activity.ts'
import { type ListActivityInput, listActivity } from '../actions/listActivity.ts'
import type { Client } from '../Client.ts'
import { createReading, type Reading } from '../createReading.ts'
import { documentReadings } from '../documents/documentReadings.ts'
import { shareReading } from '../documents/shareReading.ts'

/** The one reading of a page of the user's activity that all hooks of a client share which ask for it. */
export function getActivityReading(client: Client, input: ListActivityInput = {}): Reading<readonly Activity[]> {
  client.internal.readings.set('listActivity', {
    invalidate() {
      for (const { asked, reading } of documentReadings(client).values()) if ('activity' in asked) reading.invalidate()
    },
  })
  return shareReading(
    client,
    () => ({ activity: input }),
    () =>
      createReading<readonly Activity[]>(
        client,
        (client, callbacks) => listActivity(client, input, callbacks),
        ({ internal }) => internal.current?.record.objectId,
      ),
  )
}
