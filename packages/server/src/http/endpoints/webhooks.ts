import type { WireFields } from '@countersign/protocol'
import { z } from 'zod'
import { createWebhook } from '../../webhooks/createWebhook.ts'
import { listDeliveries } from '../../webhooks/listDeliveries.ts'
import { deleteWebhook, getWebhook, listWebhooks } from '../../webhooks/listWebhooks.ts'
import { sendAgain, sendTest } from '../../webhooks/sendAgain.ts'
import { updateWebhook } from '../../webhooks/updateWebhook.ts'
import type { Endpoint } from '../Endpoint.ts'

const webhook = z.object({
  url: z.string().describe('Where events are sent: an https:// address'),
  events: z.array(z.string()).describe('Such as object.created, object.updated, object.deleted, user.signUp'),
  classes: z
    .array(z.string())
    .nullable()
    .optional()
    .describe('Of objects; every class of the application unless given'),
  description: z.string().nullable().optional(),
  enabled: z.boolean().optional(),
})

const define = (endpoint: Omit<Endpoint, 'access'>): Endpoint => ({ ...endpoint, access: 'master' })

export const webhookEndpoints: Endpoint[] = [
  define({
    name: 'listWebhooks',
    method: 'GET',
    path: '/webhooks',
    summary: 'Who is told of events. Master key.',
    handle: ({ context }) => listWebhooks(context),
  }),
  define({
    name: 'createWebhook',
    method: 'POST',
    path: '/webhooks',
    summary: 'Have events sent to an address. The answer holds the secret that they are signed by. Master key.',
    status: 201,
    describedInput: webhook,
    location: (output) => `/webhooks/${(output as { objectId: string }).objectId}`,
    handle: ({ context, input }) => createWebhook(context, input as WireFields),
  }),
  define({
    name: 'getWebhook',
    method: 'GET',
    path: '/webhooks/:objectId',
    summary: 'One of them. Master key.',
    handle: ({ context, params: { objectId = '' } }) => getWebhook(context, objectId),
  }),
  define({
    name: 'updateWebhook',
    method: 'PUT',
    path: '/webhooks/:objectId',
    summary: 'Change one of them, or renew its secret. Master key.',
    describedInput: webhook.partial().extend({ renewSecret: z.boolean().optional() }),
    handle: ({ context, input, params: { objectId = '' } }) => updateWebhook(context, objectId, input as WireFields),
  }),
  define({
    name: 'deleteWebhook',
    method: 'DELETE',
    path: '/webhooks/:objectId',
    summary: 'Delete one of them, with its log. Master key.',
    handle: ({ context, params: { objectId = '' } }) => deleteWebhook(context, objectId),
  }),
  define({
    name: 'testWebhook',
    method: 'POST',
    path: '/webhooks/:objectId/test',
    summary: 'Send an event of the type "test". Master key.',
    handle: ({ context, input, params: { objectId = '' } }) => sendTest(context, objectId, input as WireFields),
  }),
  define({
    name: 'listDeliveries',
    method: 'GET',
    path: '/webhooks/:objectId/deliveries',
    summary: 'What was sent to one of them and what came of it. Master key.',
    handle: ({ context, input, params: { objectId = '' } }) => listDeliveries(context, objectId, input as WireFields),
  }),
  define({
    name: 'resendDelivery',
    method: 'POST',
    path: '/webhooks/:objectId/deliveries/:deliveryId',
    summary: 'Send an event once more. Master key.',
    handle: ({ context, params: { objectId = '', deliveryId = '' } }) => sendAgain(context, objectId, deliveryId),
  }),
]
