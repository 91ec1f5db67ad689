import type { Client } from '../client/Client.ts'
import { requireConnection } from '../client/guards.ts'
import { renewCredential, renewing } from './renewCredential.ts'

/**
 * Runs a request after which the cookie holds another session, as at the end of an impersonation. The end of the former
 * session signs no tab out: each asks the server for its user again.
 *
 * @example
 * await replaceSession(client, () => fetch('/leave-customer', { method: 'POST', credentials: 'include' }))
 */
export function replaceSession<Result>(client: Client, task: () => Promise<Result>): Promise<Result> {
  return renewing(client, async () => {
    const result = await task()
    renewCredential(client, requireConnection(client), undefined)
    return result
  })
}
