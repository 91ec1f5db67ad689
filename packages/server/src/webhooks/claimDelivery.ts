import { randomUUID } from 'node:crypto'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'

/** Servers listen here for events that are to be sent. */
export const deliveriesChannel = 'countersign_deliveries'

export type Delivery = {
  objectId: string
  runner: string
  attempts: number
  webhook: string
  url: string
  secret: Buffer
  event: string
  type: string
  className: string | null
  body: Record<string, unknown>
  at: Date
}

/** Longer than any receiver is waited for, so that a delivery is another's only when its server is gone. */
const leaseLength = 120_000

/** Takes the delivery that has waited longest, of webhooks that are not `busy`. */
export async function claimDelivery({ db, clock }: Context, busy: string[]): Promise<Delivery | undefined> {
  const now = clock.now()
  const [delivery] = await db.query<Delivery>(sql.named('claim-delivery')`
    with free as (
      select d."objectId"
      from countersign.deliveries d
      join countersign.webhooks w on w."objectId" = d.webhook
      where d.status = 'pending' and d.due <= ${now} and (d.lease_until is null or d.lease_until <= ${now})
        and w.enabled and d.webhook <> all(${busy}::text[])
      order by d.due, d."createdAt"
      limit 1
      for update of d skip locked
    )
    update countersign.deliveries d set
      runner = ${randomUUID()}, lease_until = ${new Date(now.getTime() + leaseLength)}, attempts = d.attempts + 1,
      last_attempt = ${now}, response_status = null, response = null, error = null
    from free, countersign.webhooks w, countersign.events e
    where d."objectId" = free."objectId" and w."objectId" = d.webhook and e.id = d.event
    returning d."objectId", d.runner, d.attempts, d.webhook, w.url, w.secret, d.event, e.type,
      e.class_name as "className", e.body, e.at`)
  return delivery
}
