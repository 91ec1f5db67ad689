import type { FindInput } from '@countersign/protocol'
import { z } from 'zod'
import { findObjects } from '../../objects/findObjects.ts'
import { getObject } from '../../objects/getObject.ts'
import { defineEndpoint, type Endpoint } from '../Endpoint.ts'

const names = z.string().optional().describe('Names, joined by commas')
const selection = { keys: names, excludeKeys: names, include: names }
const query = z.object({
  where: z.looseObject({}).optional().describe('Conditions by field'),
  order: names.describe('Fields, joined by commas; a leading - turns the direction'),
  limit: z.int().min(0).optional(),
  skip: z.int().min(0).optional(),
  count: z.literal([0, 1]).optional(),
  ...selection,
  includeAll: z.boolean().optional(),
  redirectClassNameForKey: z.string().optional(),
  cursor: z
    .union([z.literal(true), z.string()])
    .optional()
    .describe('true for the first page; then what it answered'),
} satisfies { [name in keyof FindInput]?: z.ZodType })

const find = defineEndpoint('findObjects', {
  summary: 'Find objects of a class.',
  describedInput: query,
  handle: ({ context, caller, input, params: { className = '' } }) => findObjects(context, caller, className, input),
})
const get = defineEndpoint('getObject', {
  summary: 'Read an object.',
  describedInput: z.object(selection),
  handle: ({ context, caller, input, params: { className = '', objectId = '' } }) =>
    getObject(context, caller, className, objectId, input),
})

/** The same under the path that a class of the server's own has. */
const ofClass = (endpoint: Endpoint, className: string, path: string, name: string, summary: string): Endpoint => ({
  ...endpoint,
  name,
  summary,
  path: endpoint.path.replace('/classes/:className', path),
  handle: ({ context, caller, input, params, dispatch, sent }) =>
    endpoint.handle({ context, caller, input, params: { ...params, className }, dispatch, sent }),
})

/** Those used last come first, unless another order is asked for. */
const findSessions: Endpoint['handle'] = ({ context, caller, input }) =>
  findObjects(context, caller, '_Session', { order: '-lastUsedAt,-createdAt', limit: 1000, ...input })

const listSessions = defineEndpoint('listSessions', {
  summary: "The caller's sessions.",
  describedInput: query,
  handle: findSessions,
})

export const queryEndpoints: Endpoint[] = [
  find,
  get,
  ofClass(find, '_User', '/users', 'findUsers', 'Find users.'),
  ofClass(get, '_User', '/users', 'getUser', 'Read a user.'),
  listSessions,
  { ...listSessions, name: 'listSessionsInClass', path: '/classes/_Session' },
  ofClass(get, '_Session', '/sessions', 'getSession', "One of the caller's sessions."),
  ofClass(find, '_Role', '/roles', 'findRoles', 'Find roles.'),
  ofClass(get, '_Role', '/roles', 'getRole', 'Read a role.'),
  ofClass(find, '_Installation', '/installations', 'findInstallations', 'Find devices. Master key.'),
  ofClass(get, '_Installation', '/installations', 'getInstallation', 'Read a device.'),
]
