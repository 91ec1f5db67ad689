import { deleteObject } from '../../objects/deleteObject.ts'
import { createInstallation, updateInstallation } from '../../objects/installations.ts'
import { defineEndpoint, type Endpoint, respond } from '../Endpoint.ts'

const writes: Endpoint[] = [
  defineEndpoint('createInstallation', {
    location: (output) => `/installations/${(output as { objectId: string }).objectId}`,
    async handle({ context, caller, input }) {
      const { isNew, answer } = await createInstallation(context, caller, input)
      return isNew ? respond(answer, { status: 201 }) : answer
    },
  }),
  defineEndpoint('updateInstallation', {
    handle: ({ context, caller, input, params }) => updateInstallation(context, caller, params.objectId, input),
  }),
  defineEndpoint('deleteInstallation', {
    handle: ({ context, caller, params }) => deleteObject(context, caller, '_Installation', params.objectId),
  }),
]

export const installationEndpoints: Endpoint[] = [
  ...writes,
  ...writes.map((endpoint) => ({
    ...endpoint,
    name: `${endpoint.name}InClass`,
    path: endpoint.path.replace('/installations', '/classes/_Installation'),
  })),
]
