import type { DeliveryRecord } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { describeEvent } from './describeEvent.ts'
import { getWebhook } from './listWebhooks.ts'

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

/** What was sent to a webhook and what came of it, the newest first; those before `before`, where it is given. */
export async function listDeliveries(
  context: Context,
  webhook: string,
  { before, status, limit }: { before?: string | undefined; status?: string | undefined; limit?: number | undefined },
): Promise<{ results: DeliveryRecord[] }> {
  await getWebhook(context, webhook)
  const rows = await context.db.query<Row>({
    text: `select d.*, e.type, e.class_name as "className", e.body, e.at
           from countersign.deliveries d join countersign.events e on e.id = d.event
           where d.webhook = $1 and ($2::timestamptz is null or d."createdAt" < $2) and ($3::text is null or d.status = $3)
           order by d."createdAt" desc, d."objectId" limit $4`,
    values: [webhook, before ?? null, status ?? null, limit ?? most],
  })
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
