import { randomUUID } from 'node:crypto'
import { CountersignError, type DeliveryRecord, type WireFields } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { deliveriesChannel } from './claimDelivery.ts'
import { describeEvent, getWebhook } from './webhooks.ts'

type Row = {
  objectId: string
  createdAt: Date
  status: string
  attempts: number
  due: Date | number
  last_attempt: Date | null
  response_status: number | null
  response: string | null
  error: string | null
  event: string
  type: string
  className: string | null
  body: Record<string, unknown>
  at: Date
}

const most = 100

/** Deliveries of a webhook with their results, newest first; with `before` only earlier ones. */
async function listDeliveries(
  context: Context,
  webhook: string,
  { before, status, limit }: { before?: string | undefined; status?: string | undefined; limit?: number | undefined },
): Promise<{ results: DeliveryRecord[] }> {
  await getWebhook(context, webhook)
  const isBefore = before === undefined ? sql`true` : sql`d."createdAt" < ${before}`
  const hasStatus = status === undefined ? sql`true` : sql`d.status = ${status}`
  const rows = await context.db.query<Row>(sql`
    select d.*, e.type, e.class_name as "className", e.body, e.at
    from countersign.deliveries d
    join countersign.events e on e.id = d.event
    where d.webhook = ${webhook} and ${isBefore} and ${hasStatus}
    order by d."createdAt" desc, d."objectId"
    limit ${limit ?? most}`)
  return { results: await Promise.all(rows.map((row) => encode(context, row))) }
}

async function encode(context: Context, row: Row): Promise<DeliveryRecord> {
  return {
    objectId: row.objectId,
    createdAt: row.createdAt.toISOString(),
    status: row.status,
    attempts: row.attempts,
    event: await describeEvent(context, row),
    ...(row.last_attempt && { lastAttemptAt: row.last_attempt.toISOString() }),
    ...(row.status === 'pending' && row.due instanceof Date && { nextAttemptAt: row.due.toISOString() }),
    ...(row.response_status !== null && { responseStatus: row.response_status }),
    ...(row.response !== null && { response: row.response }),
    ...(row.error !== null && { error: row.error }),
  }
}

/** Sends an event once more, as a delivery of its own: the log of the first stays as it is. */
async function redeliver({ db, clock }: Context, webhook: string, delivery: string): Promise<{ objectId: string }> {
  const objectId = randomUUID()
  const made = await db.query(sql`
    with made as (
      insert into countersign.deliveries ("objectId", webhook, event, "createdAt")
      select ${objectId}, webhook, event, ${clock.now()}
      from countersign.deliveries
      where "objectId" = ${delivery} and webhook = ${webhook}
      returning 1
    )
    select pg_notify(${deliveriesChannel}, '') from made`)
  if (made.length === 0) throw new CountersignError('ObjectNotFound', 'Delivery not found.')
  return { objectId }
}

/** Sends an event of the type `test`, to see whether a receiver takes it. */
async function sendTest(context: Context, webhook: string, input: WireFields): Promise<{ objectId: string }> {
  const { db, clock } = context
  await getWebhook(context, webhook)
  const objectId = randomUUID()
  const now = clock.now()
  await db.query(sql`
    with stored as (
      insert into countersign.events (id, type, body, at)
      values (${randomUUID()}, 'test', ${JSON.stringify({ details: input })}, ${now})
      returning id
    ), made as (
      insert into countersign.deliveries ("objectId", webhook, event, "createdAt")
      select ${objectId}, ${webhook}, id, ${now} from stored
    )
    select pg_notify(${deliveriesChannel}, '')`)
  return { objectId }
}

const day = 24 * 3_600_000

/** Clears away events that happened long ago, with their deliveries. */
export async function sweepDeliveries({ config, db, clock }: Context): Promise<void> {
  const before = new Date(clock.now().getTime() - config.webhooks.retentionDays * day)
  await db.query(sql`delete from countersign.events where at < ${before}`)
}

export const testWebhookEndpoint = defineEndpoint('testWebhook', {
  handle: ({ context, input, params }) => sendTest(context, params.objectId, input),
})

export const listDeliveriesEndpoint = defineEndpoint('listDeliveries', {
  handle: ({ context, input, params }) => listDeliveries(context, params.objectId, input),
})

export const resendDeliveryEndpoint = defineEndpoint('resendDelivery', {
  handle: ({ context, params }) => redeliver(context, params.objectId, params.deliveryId),
})
