import { z } from 'zod'
import { deleteObject } from '../../objects/deleteObject.ts'
import { createInstallation } from '../../objects/installations/createInstallation.ts'
import { updateInstallation } from '../../objects/installations/updateInstallation.ts'
import { type Endpoint, respond } from '../Endpoint.ts'

const device = z.looseObject({
  installationId: z.string().optional(),
  deviceType: z.string().optional(),
  deviceToken: z.string().optional(),
})

const writes: Endpoint[] = [
  {
    name: 'createInstallation',
    method: 'POST',
    path: '/installations',
    summary: 'Say what a device is. One that is known already is changed.',
    once: true,
    describedInput: device,
    location: (output) => `/installations/${(output as { objectId: string }).objectId}`,
    async handle({ context, caller, input }) {
      const { isNew, answer } = await createInstallation(context, caller, input)
      return isNew ? respond(answer, { status: 201 }) : answer
    },
  },
  {
    name: 'updateInstallation',
    method: 'PUT',
    path: '/installations/:objectId',
    summary: 'Change a device.',
    once: true,
    describedInput: device,
    handle: ({ context, caller, input, params: { objectId = '' } }) =>
      updateInstallation(context, caller, objectId, input),
  },
  {
    name: 'deleteInstallation',
    method: 'DELETE',
    path: '/installations/:objectId',
    summary: 'Forget a device. Master key.',
    once: true,
    handle: ({ context, caller, params: { objectId = '' } }) =>
      deleteObject(context, caller, '_Installation', objectId),
  },
]

export const installationEndpoints: Endpoint[] = [
  ...writes,
  ...writes.map((endpoint) => ({
    ...endpoint,
    name: `${endpoint.name}InClass`,
    path: endpoint.path.replace('/installations', '/classes/_Installation'),
  })),
]
