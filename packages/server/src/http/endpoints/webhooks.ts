import { listDeliveries, redeliver, sendTest } from '../../webhooks/deliveries.ts'
import { createWebhook, deleteWebhook, getWebhook, listWebhooks, updateWebhook } from '../../webhooks/webhooks.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

export const webhookEndpoints: Endpoint[] = [
  defineEndpoint('listWebhooks', { handle: ({ context }) => listWebhooks(context) }),
  defineEndpoint('createWebhook', {
    location: (output) => `/webhooks/${(output as { objectId: string }).objectId}`,
    handle: ({ context, input }) => createWebhook(context, input),
  }),
  defineEndpoint('getWebhook', { handle: ({ context, params }) => getWebhook(context, params.objectId) }),
  defineEndpoint('updateWebhook', {
    handle: ({ context, input, params }) => updateWebhook(context, params.objectId, input),
  }),
  defineEndpoint('deleteWebhook', { handle: ({ context, params }) => deleteWebhook(context, params.objectId) }),
  defineEndpoint('testWebhook', { handle: ({ context, input, params }) => sendTest(context, params.objectId, input) }),
  defineEndpoint('listDeliveries', {
    handle: ({ context, input, params }) => listDeliveries(context, params.objectId, input),
  }),
  defineEndpoint('resendDelivery', {
    handle: ({ context, params }) => redeliver(context, params.objectId, params.deliveryId),
  }),
]
