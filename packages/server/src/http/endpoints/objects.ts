import { createObject } from '../../objects/createObject.ts'
import { deleteObject } from '../../objects/deleteObject.ts'
import { updateObject } from '../../objects/updateObject.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

const created = defineEndpoint('createObject', {
  location: (output, { className = '' }) =>
    `/classes/${encodeURIComponent(className)}/${(output as { objectId: string }).objectId}`,
  handle: ({ context, caller, input, params }) => createObject(context, caller, params.className, input),
})
const updated = defineEndpoint('updateObject', {
  handle: ({ context, caller, input, params }) =>
    updateObject(context, caller, params.className, params.objectId, input),
})
const deleted = defineEndpoint('deleteObject', {
  handle: ({ context, caller, params }) => deleteObject(context, caller, params.className, params.objectId),
})

/** The same for roles, under their own path. */
const asRole = (endpoint: Endpoint, name: string): Endpoint => ({
  ...endpoint,
  name,
  path: endpoint.path.replace('/classes/:className', '/roles'),
  ...(endpoint.params && { params: endpoint.params.omit({ className: true }) }),
  ...(endpoint.location && { location: (output) => `/roles/${(output as { objectId: string }).objectId}` }),
  handle: (request) => endpoint.handle({ ...request, params: { ...request.params, className: '_Role' } }),
})

export const objectEndpoints: Endpoint[] = [
  created,
  updated,
  deleted,
  asRole(created, 'createRole'),
  asRole(updated, 'updateRole'),
  asRole(deleted, 'deleteRole'),
]
