import { randomUUID } from 'node:crypto'
import { CountersignError, type WireFields } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { deliveriesChannel } from './claimDelivery.ts'
import { getWebhook } from './listWebhooks.ts'

/** Sends an event once more, as a delivery of its own: the log of the first stays as it is. */
export async function sendAgain(
  { db, clock }: Context,
  webhook: string,
  delivery: string,
): Promise<{ objectId: string }> {
  const objectId = randomUUID()
  const made = await db.query({
    text: `with made as (
             insert into countersign.deliveries ("objectId", webhook, event, "createdAt")
             select $1, webhook, event, $2 from countersign.deliveries where "objectId" = $3 and webhook = $4 returning 1
           )
           select pg_notify('${deliveriesChannel}', '') from made`,
    values: [objectId, clock.now(), delivery, webhook],
  })
  if (made.length === 0) throw new CountersignError('ObjectNotFound', 'There is no such delivery.')
  return { objectId }
}

/** Sends an event of the type `test`, to see whether a receiver takes it. */
export async function sendTest(context: Context, webhook: string, input: WireFields): Promise<{ objectId: string }> {
  const { db, clock } = context
  await getWebhook(context, webhook)
  const objectId = randomUUID()
  await db.query({
    text: `with told as (
             insert into countersign.events (id, type, body, at) values ($1, 'test', $2, $3) returning id
           ), made as (
             insert into countersign.deliveries ("objectId", webhook, event, "createdAt") select $4, $5, id, $3 from told
           )
           select pg_notify('${deliveriesChannel}', '')`,
    values: [randomUUID(), JSON.stringify({ details: input }), clock.now(), objectId, webhook],
  })
  return { objectId }
}
