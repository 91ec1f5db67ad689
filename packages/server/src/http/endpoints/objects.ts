import { z } from 'zod'
import { createObject } from '../../objects/createObject.ts'
import { deleteObject } from '../../objects/deleteObject.ts'
import { updateObject } from '../../objects/updateObject.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

const fields = z.looseObject({}).describe('The fields of the object, and ACL')
const changes = z.looseObject({}).describe('Fields to set, or operations such as { "__op": "Increment", "amount": 1 }')

const created = defineEndpoint('createObject', {
  summary: 'Make an object. Its class and fields are made on first use where that is allowed.',
  status: 201,
  once: true,
  describedInput: fields,
  location: (output, { className = '' }) =>
    `/classes/${encodeURIComponent(className)}/${(output as { objectId: string }).objectId}`,
  handle: ({ context, caller, input, params: { className = '' } }) => createObject(context, caller, className, input),
})
const updated = defineEndpoint('updateObject', {
  summary: 'Change an object. Operations are answered by the value that they led to.',
  once: true,
  describedInput: changes,
  handle: ({ context, caller, input, params: { className = '', objectId = '' } }) =>
    updateObject(context, caller, className, objectId, input),
})
const deleted = defineEndpoint('deleteObject', {
  summary: 'Delete an object.',
  once: true,
  handle: ({ context, caller, params: { className = '', objectId = '' } }) =>
    deleteObject(context, caller, className, objectId),
})

/** The same for roles, under their own path. */
const asRole = (endpoint: Endpoint, name: string): Endpoint => ({
  ...endpoint,
  name,
  path: endpoint.path.replace('/classes/:className', '/roles'),
  ...(endpoint.location && { location: (output) => `/roles/${(output as { objectId: string }).objectId}` }),
  handle: ({ context, caller, input, params, dispatch, sent }) =>
    endpoint.handle({ context, caller, input, params: { ...params, className: '_Role' }, dispatch, sent }),
})

export const objectEndpoints: Endpoint[] = [
  created,
  updated,
  deleted,
  asRole(created, 'createRole'),
  asRole(updated, 'updateRole'),
  asRole(deleted, 'deleteRole'),
]
