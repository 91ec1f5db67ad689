import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { findRecords } from './findObjects.ts'
import { getRecord } from './getObject.ts'

/** Sorted by last use, unless another order is given. */
export const listSessionsEndpoint = defineEndpoint('listSessions', {
  handle: ({ context, caller, input }) =>
    findRecords<'listSessions'>(context, caller, '_Session', {
      order: '-lastUsedAt,-createdAt',
      limit: 1000,
      ...input,
    }),
})

export const getSessionEndpoint = defineEndpoint('getSession', {
  handle: ({ context, caller, input, params }) =>
    getRecord<'getSession'>(context, caller, '_Session', params.objectId, input),
})
