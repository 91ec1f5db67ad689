import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { findRecords } from './findObjects.ts'
import { getRecord } from './getObject.ts'

/** Those used last come first, unless another order is asked for. */
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
