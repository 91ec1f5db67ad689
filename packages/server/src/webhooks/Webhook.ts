import type { WebhookRecord } from '@countersign/protocol'

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

export const webhookColumns = '"objectId", "createdAt", "updatedAt", url, events, classes, description, enabled'

export function encodeWebhook(row: WebhookRow): WebhookRecord {
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
