import { CountersignError, type WebhookRecord } from '@countersign/protocol'
import { newObjectId } from '../classes/newObjectId.ts'
import type { Context } from '../context/Context.ts'
import { seal } from '../context/seal.ts'
import { readWebhook, type WebhookInput } from './readWebhook.ts'
import { newSecret } from './signature.ts'
import { encodeWebhook, type WebhookRow, webhookColumns } from './Webhook.ts'

/** Each one costs every change of what it listens to. */
const mostWebhooks = 100

/** Makes a webhook. Its secret is in this answer and in no later one. */
export async function createWebhook(
  context: Context,
  input: WebhookInput & { url: string; events: string[] },
): Promise<WebhookRecord & { secret: string }> {
  const { config, clock, db, keys } = context
  const { url, events, classes = null, description = null, enabled = true } = readWebhook(config, input)
  const secret = newSecret()
  const row = await db.transaction(async () => {
    const [made] = await db.query<WebhookRow>({
      text: `insert into countersign.webhooks
               ("objectId", "createdAt", "updatedAt", url, events, classes, description, enabled, secret)
             select $1, $2, $2, $3, $4, $5, $6, $7, $8 where (select count(*) from countersign.webhooks) < ${mostWebhooks}
             returning ${webhookColumns}`,
      values: [newObjectId(), clock.now(), url, events, classes, description, enabled, seal(keys, 'webhook', secret)],
    })
    return made
  })
  if (!row) throw new CountersignError('ExceededQuota', `There may be ${mostWebhooks} webhooks at most.`)
  return { ...encodeWebhook(row), secret }
}
