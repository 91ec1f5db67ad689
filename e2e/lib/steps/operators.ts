import type { Page } from '@playwright/test'
import { enter } from './enter.ts'
import { newName } from './newName.ts'
import { password } from './password.mjs'

/** Of the servers that the tests of the console start. */
export const masterKey = 'master key of the console tests'

type OperatorRole = 'admin' | 'support' | 'viewer'

/** A request with the master key, besides what the page does. */
export async function asMaster(page: Page, method: string, path: string, data?: object) {
  const { appId } = await (await page.request.get('/config.json')).json()
  const headers = { 'X-Parse-Application-Id': appId, 'X-Parse-Master-Key': masterKey }
  return (await page.request.fetch(`/server${path}`, { method, headers, ...(data && { data }) })).json()
}

/** A new account that may use the console, signed in. */
export async function enterAs(page: Page, role: OperatorRole): Promise<{ objectId: string; username: string }> {
  const username = newName()
  await enter(page, username)
  const { results } = await asMaster(page, 'GET', `/console/users?search=${username}`)
  const { objectId } = results[0] as { objectId: string }
  const grant = (id: string, as: OperatorRole) => asMaster(page, 'PUT', `/console/operators/${id}`, { role: as })
  if ((await grant(objectId, role)).reason === 'lastAdmin') {
    // The first operator is an administrator, also where a test runs alone.
    await grant((await makeUser(page)).objectId, 'admin')
    await grant(objectId, role)
  }
  return { objectId, username }
}

/** A user who is not an operator, without a session. */
export async function makeUser(page: Page, fields: object = {}): Promise<{ objectId: string; username: string }> {
  const username = newName()
  const { objectId } = await asMaster(page, 'POST', '/users', { username, password, ...fields })
  return { objectId, username }
}
