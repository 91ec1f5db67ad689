import { deleteUserEndpoint } from '../../auth/accounts/deleteUser.ts'
import { signUpEndpoint } from '../../auth/accounts/signUp.ts'
import { updateUserEndpoint } from '../../auth/accounts/updateUser.ts'
import { createSessionEndpoint, updateSessionEndpoint } from '../../auth/sessions.ts'
import type { Endpoint } from '../../endpoint/Endpoint.ts'
import { createObjectEndpoint } from '../../objects/createObject.ts'
import { deleteObjectEndpoint } from '../../objects/deleteObject.ts'
import { findObjectsEndpoint } from '../../objects/findObjects.ts'
import { getObjectEndpoint } from '../../objects/getObject.ts'
import {
  createInstallationEndpoint,
  deleteInstallationEndpoint,
  updateInstallationEndpoint,
} from '../../objects/installations.ts'
import { listSessionsEndpoint } from '../../objects/sessions.ts'
import { updateObjectEndpoint } from '../../objects/updateObject.ts'
import { revokeSessionEndpoint } from '../../users/sessions/sessions.ts'

/** The same endpoint under the path of its class, where the older clients look for it. */
const inClass = (endpoint: Endpoint, path: string, className: string): Endpoint => ({
  ...endpoint,
  name: `${endpoint.name}InClass`,
  path: endpoint.path.replace(path, `/classes/${className}`),
})

/** The endpoint of all classes, under the path that a class of the server's own has. */
const ofClass = (
  endpoint: Endpoint,
  className: string,
  path: string,
  name: string,
  summary = endpoint.summary,
): Endpoint => ({
  ...endpoint,
  name,
  summary,
  path: endpoint.path.replace('/classes/:className', path),
  ...(endpoint.params && { params: endpoint.params.omit({ className: true }) }),
  ...(endpoint.location && { location: (output) => `${path}/${(output as { objectId: string }).objectId}` }),
  handle: (request) => endpoint.handle({ ...request, params: { ...request.params, className } }),
})

const users = [signUpEndpoint, updateUserEndpoint, deleteUserEndpoint]
const sessions = [createSessionEndpoint, updateSessionEndpoint, revokeSessionEndpoint, listSessionsEndpoint]
const installations = [createInstallationEndpoint, updateInstallationEndpoint, deleteInstallationEndpoint]

export const classPathEndpoints: Endpoint[] = [
  ...users.map((endpoint) => inClass(endpoint, '/users', '_User')),
  ...sessions.map((endpoint) => inClass(endpoint, '/sessions', '_Session')),
  ...installations.map((endpoint) => inClass(endpoint, '/installations', '_Installation')),
  ofClass(createObjectEndpoint, '_Role', '/roles', 'createRole'),
  ofClass(updateObjectEndpoint, '_Role', '/roles', 'updateRole'),
  ofClass(deleteObjectEndpoint, '_Role', '/roles', 'deleteRole'),
  ofClass(findObjectsEndpoint, '_Role', '/roles', 'findRoles', 'Find roles.'),
  ofClass(getObjectEndpoint, '_Role', '/roles', 'getRole', 'Read a role.'),
  ofClass(findObjectsEndpoint, '_Installation', '/installations', 'findInstallations', 'Find devices. Master key.'),
  ofClass(getObjectEndpoint, '_Installation', '/installations', 'getInstallation', 'Read a device.'),
]
