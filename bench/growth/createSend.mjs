import { encodeRequest } from '../load/encodeRequest.mjs'
import { Refused } from './Refused.mjs'

/** @typedef {{ method?: string, path: string, body?: unknown, token?: string }} Ask */

/**
 * Sends requests as the user of the token; without one, with the master key.
 *
 * @param {Awaited<ReturnType<typeof import('../load/openConnection.mjs').openConnection>>} connection
 * @param {import('../types.d.ts').Target} target
 */
export function createSend(connection, { mount, applicationId }) {
  return async (/** @type {Ask} */ { method = 'GET', path, body, token }) => {
    const caller = token
      ? { 'X-Parse-Session-Token': token }
      : { 'X-Parse-Master-Key': 'bench-master-key-never-used-elsewhere' }
    const headers = { 'X-Parse-Application-Id': applicationId, ...caller }
    const answer = await connection.send(encodeRequest({ method, path: `${mount}${path}`, headers, body }))
    if (answer.status >= 300) throw new Refused(`${method} ${path}`, answer.status, answer.body)
    return JSON.parse(answer.body)
  }
}
