import { CountersignError, type WebhookRecord } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { encodeWebhook, type WebhookRow, webhookColumns } from './Webhook.ts'

export async function listWebhooks({ db }: Context): Promise<{ results: WebhookRecord[] }> {
  const rows = await db.query<WebhookRow>({
    text: `select ${webhookColumns} from countersign.webhooks order by "createdAt", "objectId"`,
  })
  return { results: rows.map(encodeWebhook) }
}

export async function getWebhook({ db }: Context, objectId: string): Promise<WebhookRecord> {
  const [row] = await db.query<WebhookRow>({
    text: `select ${webhookColumns} from countersign.webhooks where "objectId" = $1`,
    values: [objectId],
  })
  if (!row) throw noWebhook()
  return encodeWebhook(row)
}

/** Deletes a webhook, and with it what was to be sent there. */
export async function deleteWebhook({ db }: Context, objectId: string): Promise<Record<never, never>> {
  const gone = await db.transaction(() =>
    db.query({ text: 'delete from countersign.webhooks where "objectId" = $1 returning 1', values: [objectId] }),
  )
  if (gone.length === 0) throw noWebhook()
  return {}
}

export function noWebhook(): CountersignError {
  return new CountersignError('ObjectNotFound', 'There is no such webhook.')
}
