import { errorCodes } from '@countersign/protocol'
import type { Client } from '../Client.ts'
import type { Connection } from '../Connection.ts'
import { toCountersignError } from '../errors/toCountersignError.ts'
import { isTransient } from '../isTransient.ts'
import { sendRequest } from '../sendRequest.ts'
import { readRecord } from '../wire/readRecord.ts'
import { adoptSession } from './adoptSession.ts'
import { moveSession } from './moveSession.ts'
import { removeStoredSession, type StoredSession } from './storedSession.ts'

/** Asks the server whose the stored session is. Being offline is not being signed out: then the stored user stands. */
export async function restoreSession(client: Client, connection: Connection, stored: StoredSession): Promise<void> {
  const { credential } = stored
  const limit = new AbortController()
  const timer = setTimeout(() => limit.abort(), 10_000)
  try {
    const answer = await sendRequest(
      client.internal.options,
      connection,
      'getCurrentUser',
      {},
      { credential, signal: limit.signal },
    )
    adoptSession(client, connection, { credential, user: readRecord(answer) ?? stored.user })
  } catch (cause) {
    const error = toCountersignError(cause)
    if (error.code === errorCodes.InvalidSessionToken) {
      client.internal.current = undefined
      removeStoredSession(connection, credential)
      moveSession(client, { type: 'signedOut' })
      return
    }
    if (!limit.signal.aborted && !isTransient(error)) {
      client.internal.current = undefined
      moveSession(client, { type: 'restoreFailed', error })
      throw error
    }
    adoptSession(client, connection, stored)
  } finally {
    clearTimeout(timer)
  }
}
