import { defineEndpoint } from '../endpoint/defineEndpoint.ts'
import { findRecords } from './findObjects.ts'
import { getRecord } from './getObject.ts'

export const findUsersEndpoint = defineEndpoint('findUsers', {
  handle: ({ context, caller, input }) => findRecords<'findUsers'>(context, caller, '_User', input),
})

export const getUserEndpoint = defineEndpoint('getUser', {
  handle: ({ context, caller, input, params }) =>
    getRecord<'getUser'>(context, caller, '_User', params.objectId, input),
})
