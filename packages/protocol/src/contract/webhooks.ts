import { z } from 'zod'
import type { EndpointContract } from './EndpointContract.ts'
import { byId, fields, instant, listOf, nothing, openObject, refusedAs, text, wireValue } from './fields.ts'
import { named } from './typeNames.ts'

const mustBeEvent =
  'must be object.created, object.updated, object.deleted, or user. and an activity type, such as user.signUp or user.signIn'

const webhook = z.object({
  url: z.string(refusedAs(undefined)).max(2_000).describe('Target of the events: an https:// address'),
  events: z
    .array(z.string().regex(/^(object\.(created|updated|deleted)|user\.[a-zA-Z]{1,40})$/, mustBeEvent), {
      ...refusedAs('IncorrectType'),
    })
    .min(1, 'IncorrectType')
    .max(100, 'IncorrectType')
    .describe('Such as object.created, object.updated, object.deleted, user.signUp'),
  classes: z
    .array(text(200), 'IncorrectType')
    .min(1, 'IncorrectType')
    .max(100, 'IncorrectType')
    .nullish()
    .describe('Only objects of this class; all classes by default'),
  description: z.string('IncorrectType').max(500, 'IncorrectType').nullish(),
  enabled: z.boolean('IncorrectType').optional(),
})

const webhookRecord = named(
  'WebhookRecord',
  z
    .strictObject({
      objectId: z.string(),
      createdAt: instant,
      updatedAt: instant,
      url: z.string(),
      events: z.array(z.string()),
      classes: z.array(z.string()).optional().describe('Absent: all classes.'),
      description: z.string().optional(),
      enabled: z.boolean(),
    })
    .describe('A URL that receives events.'),
)

const deliveryRecord = named(
  'DeliveryRecord',
  z
    .strictObject({
      objectId: z.string(),
      createdAt: instant,
      status: z.string(),
      attempts: z.number(),
      event: fields,
      lastAttemptAt: instant.optional(),
      nextAttemptAt: instant.optional(),
      responseStatus: z.number().optional(),
      response: z.string().optional(),
      error: z.string().optional(),
    })
    .describe('An event that was sent to a webhook, with the result.'),
)

const made = z.strictObject({ objectId: z.string() })

/** Endpoints for webhooks. */
export const webhooks = {
  listWebhooks: {
    method: 'GET',
    path: '/webhooks',
    summary: 'Webhooks.',
    access: 'master',
    output: listOf(webhookRecord),
  },
  createWebhook: {
    method: 'POST',
    path: '/webhooks',
    summary: 'Create a webhook. The response has the secret that signs its events.',
    access: 'master',
    status: 201,
    input: webhook,
    output: webhookRecord.extend({ secret: z.string() }),
  },
  getWebhook: {
    method: 'GET',
    path: '/webhooks/:objectId',
    summary: 'A webhook.',
    access: 'master',
    params: byId,
    output: webhookRecord,
  },
  updateWebhook: {
    method: 'PUT',
    path: '/webhooks/:objectId',
    summary: 'Change a webhook, or renew its secret.',
    access: 'master',
    params: byId,
    input: webhook.partial().extend({ renewSecret: z.boolean().optional() }),
    output: webhookRecord.extend({ secret: z.string().optional() }),
  },
  deleteWebhook: {
    method: 'DELETE',
    path: '/webhooks/:objectId',
    summary: 'Delete a webhook and its log.',
    access: 'master',
    params: byId,
    output: nothing,
  },
  testWebhook: {
    method: 'POST',
    path: '/webhooks/:objectId/test',
    summary: 'Send a test event.',
    access: 'master',
    params: byId,
    input: openObject({}).describe('The details of the event'),
    output: made,
  },
  listDeliveries: {
    method: 'GET',
    path: '/webhooks/:objectId/deliveries',
    summary: 'Deliveries of a webhook with their results, newest first.',
    access: 'master',
    params: byId,
    input: z.object({
      before: instant.optional(),
      status: text(20).optional(),
      limit: z.int().min(1).max(100).optional(),
    }),
    output: listOf(deliveryRecord),
  },
  resendDelivery: {
    method: 'POST',
    path: '/webhooks/:objectId/deliveries/:deliveryId',
    summary: 'Send an event again.',
    access: 'master',
    params: byId.extend({ deliveryId: text(100).min(1) }),
    output: made,
  },
} as const satisfies Record<string, EndpointContract>

/** Fields of remote code. Legacy clients know a single error code for all invalid values. */
const remoteText = (longest: number) => z.string('InvalidImageData').max(longest, 'InvalidImageData')
const functionName = remoteText(200)
const className = remoteText(200)
const triggerName = z.enum(
  ['beforeSave', 'afterSave', 'beforeDelete', 'afterDelete', 'beforeLogin', 'afterLogin', 'afterLogout'],
  'InvalidImageData',
)
const url = remoteText(2_000)
const aFunction = z.object({ functionName })
const aHook = z.object({ className, triggerName })
/** `{ "__op": "Delete" }` deletes it, as the older clients ask for it. */
const change = z.object({ url: url.optional(), __op: wireValue.optional() })

const remoteFunctionRecord = named(
  'RemoteFunctionRecord',
  z.strictObject({ functionName: z.string(), url: z.string() }).describe('A remote function.'),
)
const remoteHookRecord = named(
  'RemoteHookRecord',
  z.strictObject({ className: z.string(), triggerName: z.string(), url: z.string() }).describe('A remote hook.'),
)
const warning = z.string().optional()

/** Functions and hooks of the application that run elsewhere. */
export const remoteCode = {
  listRemoteFunctions: {
    method: 'GET',
    path: '/hooks/functions',
    summary: 'Functions that run on another server.',
    access: 'master',
    output: z.array(remoteFunctionRecord),
  },
  createRemoteFunction: {
    method: 'POST',
    path: '/hooks/functions',
    summary: 'Register a function that runs on another server.',
    access: 'master',
    input: aFunction.extend({ url }),
    output: remoteFunctionRecord.extend({ warning }),
  },
  getRemoteFunction: {
    method: 'GET',
    path: '/hooks/functions/:functionName',
    summary: 'URL of a remote function.',
    access: 'master',
    params: aFunction,
    output: remoteFunctionRecord,
  },
  updateRemoteFunction: {
    method: 'PUT',
    path: '/hooks/functions/:functionName',
    summary: 'Change the URL of a remote function.',
    access: 'master',
    params: aFunction,
    input: change,
    output: z.union([remoteFunctionRecord, nothing]),
  },
  deleteRemoteFunction: {
    method: 'DELETE',
    path: '/hooks/functions/:functionName',
    summary: 'Delete a remote function.',
    access: 'master',
    params: aFunction,
    output: nothing,
  },
  listRemoteHooks: {
    method: 'GET',
    path: '/hooks/triggers',
    summary: 'Hooks that run on another server.',
    access: 'master',
    output: z.array(remoteHookRecord),
  },
  createRemoteHook: {
    method: 'POST',
    path: '/hooks/triggers',
    summary: 'Register a hook that runs on another server.',
    access: 'master',
    input: aHook.extend({ url }),
    output: remoteHookRecord,
  },
  listRemoteHooksOfClass: {
    method: 'GET',
    path: '/hooks/triggers/:className',
    summary: 'Remote hooks of a class.',
    access: 'master',
    params: z.object({ className }),
    output: z.array(remoteHookRecord),
  },
  getRemoteHook: {
    method: 'GET',
    path: '/hooks/triggers/:className/:triggerName',
    summary: 'URL of a remote hook.',
    access: 'master',
    params: aHook,
    output: remoteHookRecord,
  },
  updateRemoteHook: {
    method: 'PUT',
    path: '/hooks/triggers/:className/:triggerName',
    summary: 'Change the URL of a remote hook.',
    access: 'master',
    params: aHook,
    input: change,
    output: z.union([remoteHookRecord, nothing]),
  },
  deleteRemoteHook: {
    method: 'DELETE',
    path: '/hooks/triggers/:className/:triggerName',
    summary: 'Delete a remote hook.',
    access: 'master',
    params: aHook,
    output: nothing,
  },
} as const satisfies Record<string, EndpointContract>
