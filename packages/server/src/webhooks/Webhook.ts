/** Someone who wants to be told of events. */
export type Webhook = {
  objectId: string
  createdAt: string
  updatedAt: string
  url: string
  events: string[]
  /** Absent: every class of the application. */
  classes?: string[]
  description?: string
  enabled: boolean
}

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

export function encodeWebhook(row: WebhookRow): Webhook {
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
