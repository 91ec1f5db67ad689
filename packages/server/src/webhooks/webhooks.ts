import { isIP } from 'node:net'
import { CountersignError, type WebhookRecord, type WireFields } from '@countersign/protocol'
import { fillFileUrls } from '../classes/fileUrls.ts'
import { isClassName, newObjectId } from '../classes/names.ts'
import { explainOlderName } from '../classes/olderClasses.ts'
import type { Config } from '../config/Config.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { encrypt } from '../keys/secrets.ts'
import { isPublicAddress } from '../network/publicAddress.ts'
import type { JsonRow } from '../objects/decodeObject.ts'
import { findClass } from '../objects/findClass.ts'
import { type Delivery, deliveriesChannel } from './claimDelivery.ts'
import { decodeEventRow } from './decodeEventRow.ts'
import { newSecret } from './signature.ts'

export type WebhookRow = {
  objectId: string
  createdAt: Date
  updatedAt: Date
  url: string
  events: string[]
  classes: string[] | null
  description: string | null
  enabled: boolean
}

const webhookColumns = sql`"objectId", "createdAt", "updatedAt", url, events, classes, description, enabled`

function encodeWebhook(row: WebhookRow): WebhookRecord {
  return {
    objectId: row.objectId,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    url: row.url,
    events: row.events,
    ...(row.classes && { classes: row.classes }),
    ...(row.description !== null && { description: row.description }),
    enabled: row.enabled,
  }
}

/** Body of a delivery: the event as JSON, with documents as the master key reads them. */
export async function describeEvent(
  context: Context,
  { event, type, className, body, at }: Pick<Delivery, 'event' | 'type' | 'className' | 'body' | 'at'>,
): Promise<WireFields> {
  const head = { id: event, type, createdAt: at.toISOString() }
  if (className !== null) {
    // One of the older service is not refused here: the setting for it may be gone by now.
    const isOlder = explainOlderName(context.config, className) !== undefined
    const schema = isOlder ? context.classes.find(className) : await findClass(context, className)
    const read = (row: unknown) => {
      if (!row) return undefined
      // The class may be gone by now; that there was such an object is still worth telling.
      return schema
        ? fillFileUrls(context, schema, decodeEventRow(schema, row as JsonRow))
        : { objectId: (row as JsonRow).objectId }
    }
    const original = read(body.original)
    return { ...head, className, object: read(body.object) ?? null, ...(original && { original }) }
  }
  if (typeof body.user !== 'string') return { ...head, ...(body as WireFields) }
  const user = { __type: 'Pointer' as const, className: '_User', objectId: body.user }
  return { ...head, user, details: (body.details ?? {}) as WireFields }
}

/**
 * An address that events may be sent to. What a name leads to is looked at again when it is sent, since it may lead
 * elsewhere by then.
 */
export function checkUrl({ webhooks, production }: Config, value: unknown): string {
  const url = typeof value === 'string' && value.length <= 2_000 && URL.canParse(value) ? new URL(value) : undefined
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new CountersignError('InvalidValue', 'url of a webhook must be a full https:// address.')
  }
  if (url.username || url.password) {
    throw new CountersignError(
      'InvalidValue',
      'The url of a webhook must not contain a password, because it would appear in logs.',
    )
  }
  const { allowPrivateAddresses } = webhooks
  if (url.protocol === 'http:' && production && !allowPrivateAddresses) {
    throw new CountersignError('InvalidValue', 'In production a webhook must use https://.')
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  if (isIP(host) && !allowPrivateAddresses && !isPublicAddress(host)) {
    throw new CountersignError(
      'OperationForbidden',
      'This webhook URL is in a private network. To allow it, set webhooks.allowPrivateAddresses.',
    )
  }
  return url.href
}

export type WebhookInput = {
  url?: string | undefined
  events?: string[] | undefined
  classes?: string[] | null | undefined
  description?: string | null | undefined
  enabled?: boolean | undefined
}

/** Checks the URL and the events of a webhook. */
function readWebhook<Input extends WebhookInput>(config: Config, input: Input): Input {
  const { url, events, classes } = input
  return {
    ...input,
    ...(url !== undefined && { url: checkUrl(config, url) }),
    ...(events && { events: [...new Set(events)] }),
    ...(classes && { classes: readClasses(classes) }),
  }
}

function readClasses(classes: string[]): string[] {
  for (const name of classes) {
    if (!isClassName(name)) {
      throw new CountersignError('InvalidClassName', `"${name.slice(0, 60)}" cannot be the name of a class.`)
    }
    if (name === '_Session') {
      throw new CountersignError(
        'OperationForbidden',
        'Session objects have no webhook events. Subscribe to user.signIn instead.',
      )
    }
  }
  return [...new Set(classes)]
}

/** Each one costs every change of what it listens to. */
const mostWebhooks = 100

/** Creates a webhook. Its secret is only in this response. */
async function createWebhook(
  context: Context,
  input: WebhookInput & { url: string; events: string[] },
): Promise<WebhookRecord & { secret: string }> {
  const { config, clock, db, keys } = context
  const { url, events, classes = null, description = null, enabled = true } = readWebhook(config, input)
  const secret = newSecret()
  const row = await db.transaction(async () => {
    const now = sql.param(clock.now())
    const [made] = await db.query<WebhookRow>(sql`
      insert into countersign.webhooks
        ("objectId", "createdAt", "updatedAt", url, events, classes, description, enabled, secret)
      select ${newObjectId()}, ${now}, ${now}, ${url}, ${events}, ${classes}, ${description}, ${enabled},
        ${encrypt(keys, 'webhook', secret)}
      where (select count(*) from countersign.webhooks) < ${mostWebhooks}
      returning ${webhookColumns}`)
    return made
  })
  if (!row) throw new CountersignError('ExceededQuota', `The limit of ${mostWebhooks} webhooks has been reached.`)
  return { ...encodeWebhook(row), secret }
}

/** Changes a webhook. With `renewSecret` it signs with a new secret from now on, which is only in this response. */
async function updateWebhook(
  { config, clock, db, keys }: Context,
  objectId: string,
  { renewSecret, ...input }: WebhookInput & { renewSecret?: boolean | undefined },
): Promise<WebhookRecord & { secret?: string }> {
  const changes = readWebhook(config, input)
  const secret = renewSecret ? newSecret() : undefined
  const sets = [sql`"updatedAt" = ${clock.now()}`]
  if (changes.url !== undefined) sets.push(sql`url = ${changes.url}`)
  if (changes.events !== undefined) sets.push(sql`events = ${changes.events}`)
  if (changes.classes !== undefined) sets.push(sql`classes = ${changes.classes}`)
  if (changes.description !== undefined) sets.push(sql`description = ${changes.description}`)
  if (changes.enabled !== undefined) sets.push(sql`enabled = ${changes.enabled}`)
  if (secret !== undefined) sets.push(sql`secret = ${encrypt(keys, 'webhook', secret)}`)
  const row = await db.transaction(async () => {
    const [changed] = await db.query<WebhookRow>(sql`
      update countersign.webhooks set ${sql.join(sets)}
      where "objectId" = ${objectId}
      returning ${webhookColumns}`)
    return changed
  })
  if (!row) throw noWebhook()
  await db.query(sql`select pg_notify(${deliveriesChannel}, '')`)
  return { ...encodeWebhook(row), ...(secret && { secret }) }
}

async function listWebhooks({ db }: Context): Promise<{ results: WebhookRecord[] }> {
  const rows = await db.query<WebhookRow>(
    sql`select ${webhookColumns} from countersign.webhooks order by "createdAt", "objectId"`,
  )
  return { results: rows.map(encodeWebhook) }
}

export async function getWebhook({ db }: Context, objectId: string): Promise<WebhookRecord> {
  const [row] = await db.query<WebhookRow>(
    sql`select ${webhookColumns} from countersign.webhooks where "objectId" = ${objectId}`,
  )
  if (!row) throw noWebhook()
  return encodeWebhook(row)
}

/**
 * Deletes a webhook with its deliveries. Turns it off first: that waits for saves under way without holding the row that
 * they refer to, so that neither waits for the other.
 */
async function deleteWebhook({ db }: Context, objectId: string): Promise<Record<never, never>> {
  const gone = await db.transaction(async () => {
    await db.query(sql`update countersign.webhooks set enabled = false where "objectId" = ${objectId}`)
    return db.query(sql`delete from countersign.webhooks where "objectId" = ${objectId} returning 1`)
  })
  if (gone.length === 0) throw noWebhook()
  return {}
}

function noWebhook(): CountersignError {
  return new CountersignError('ObjectNotFound', 'Webhook not found.')
}

export const listWebhooksEndpoint = defineEndpoint('listWebhooks', { handle: ({ context }) => listWebhooks(context) })

export const createWebhookEndpoint = defineEndpoint('createWebhook', {
  location: (output) => `/webhooks/${(output as { objectId: string }).objectId}`,
  handle: ({ context, input }) => createWebhook(context, input),
})

export const getWebhookEndpoint = defineEndpoint('getWebhook', {
  handle: ({ context, params }) => getWebhook(context, params.objectId),
})

export const updateWebhookEndpoint = defineEndpoint('updateWebhook', {
  handle: ({ context, input, params }) => updateWebhook(context, params.objectId, input),
})

export const deleteWebhookEndpoint = defineEndpoint('deleteWebhook', {
  handle: ({ context, params }) => deleteWebhook(context, params.objectId),
})
