import type { WebhookRecord } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { seal } from '../context/seal.ts'
import { deliveriesChannel } from './claimDelivery.ts'
import { noWebhook } from './listWebhooks.ts'
import { readWebhook, type WebhookInput } from './readWebhook.ts'
import { newSecret } from './signature.ts'
import { encodeWebhook, type WebhookRow, webhookColumns } from './Webhook.ts'

/** Changes a webhook. With `renewSecret` it signs by a new secret from now on, which only this answer tells. */
export async function updateWebhook(
  { config, clock, db, keys }: Context,
  objectId: string,
  { renewSecret, ...input }: WebhookInput & { renewSecret?: boolean | undefined },
): Promise<WebhookRecord & { secret?: string }> {
  const changes = readWebhook(config, input)
  const secret = renewSecret ? newSecret() : undefined
  const row = await db.transaction(async () => {
    const [changed] = await db.query<WebhookRow>({
      text: `update countersign.webhooks set
               "updatedAt" = $2, url = coalesce($3, url), events = coalesce($4, events),
               classes = case when $5 then $6::text[] else classes end,
               description = case when $7 then $8 else description end,
               enabled = coalesce($9, enabled), secret = coalesce($10, secret)
             where "objectId" = $1 returning ${webhookColumns}`,
      values: [
        objectId,
        clock.now(),
        changes.url ?? null,
        changes.events ?? null,
        changes.classes !== undefined,
        changes.classes ?? null,
        changes.description !== undefined,
        changes.description ?? null,
        changes.enabled ?? null,
        secret ? seal(keys, 'webhook', secret) : null,
      ],
    })
    return changed
  })
  if (!row) throw noWebhook()
  await db.query({ text: `select pg_notify('${deliveriesChannel}', '')` })
  return { ...encodeWebhook(row), ...(secret && { secret }) }
}
