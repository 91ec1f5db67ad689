import type { EndpointTypes } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { findObjects } from '../../objects/findObjects.ts'
import { getObject } from '../../objects/getObject.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'
import type { Body } from '../request/createBodies.ts'

type Output<Name extends keyof EndpointTypes> = Promise<EndpointTypes[Name]['output']>

/** What is found are records of the class. Only where a plan is asked for it is something else. */
const find = (context: Context, caller: Caller, className: string, input: object) =>
  findObjects(context, caller, className, input as Body) as Promise<object>
const get = (context: Context, caller: Caller, className: string, objectId: string, input: object) =>
  getObject(context, caller, className, objectId, input as Body) as Promise<object>

const findEndpoint = defineEndpoint('findObjects', {
  handle: ({ context, caller, input, params }) =>
    find(context, caller, params.className, input) as Output<'findObjects'>,
})
const getEndpoint = defineEndpoint('getObject', {
  handle: ({ context, caller, input, params }) =>
    get(context, caller, params.className, params.objectId, input) as Output<'getObject'>,
})

/** The same under the path that a class of the server's own has. */
const ofClass = (endpoint: Endpoint, className: string, path: string, name: string, summary: string): Endpoint => ({
  ...endpoint,
  name,
  summary,
  path: endpoint.path.replace('/classes/:className', path),
  ...(endpoint.params && { params: endpoint.params.omit({ className: true }) }),
  handle: (request) => endpoint.handle({ ...request, params: { ...request.params, className } }),
})

/** Those used last come first, unless another order is asked for. */
const listSessions = defineEndpoint('listSessions', {
  handle: ({ context, caller, input }) =>
    find(context, caller, '_Session', {
      order: '-lastUsedAt,-createdAt',
      limit: 1000,
      ...input,
    }) as Output<'listSessions'>,
})

export const queryEndpoints: Endpoint[] = [
  findEndpoint,
  getEndpoint,
  defineEndpoint('findUsers', {
    handle: ({ context, caller, input }) => find(context, caller, '_User', input) as Output<'findUsers'>,
  }),
  defineEndpoint('getUser', {
    handle: ({ context, caller, input, params }) =>
      get(context, caller, '_User', params.objectId, input) as Output<'getUser'>,
  }),
  listSessions,
  { ...listSessions, name: 'listSessionsInClass', path: '/classes/_Session' },
  defineEndpoint('getSession', {
    handle: ({ context, caller, input, params }) =>
      get(context, caller, '_Session', params.objectId, input) as Output<'getSession'>,
  }),
  ofClass(findEndpoint, '_Role', '/roles', 'findRoles', 'Find roles.'),
  ofClass(getEndpoint, '_Role', '/roles', 'getRole', 'Read a role.'),
  ofClass(findEndpoint, '_Installation', '/installations', 'findInstallations', 'Find devices. Master key.'),
  ofClass(getEndpoint, '_Installation', '/installations', 'getInstallation', 'Read a device.'),
]
