import type { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { Client } from 'pg'
import { DatabaseUnavailable } from '../databaseErrors.ts'
import { valueTypes } from '../valueTypes.ts'

const QUERY = 'Q'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)
const FLUSH = 'H'.charCodeAt(0)

export type EmbeddedConnection = {
  client: Client
  /** Why the database gave itself up, where it has. */
  failure(): DatabaseUnavailable | undefined
}

const findPanic = (messages: object[]) =>
  messages.find((message) => 'severity' in message && (message.severity === 'PANIC' || message.severity === 'FATAL'))

/**
 * A `pg` client on PGlite. Its adapter hands over each message of a statement by itself (parse, bind, describe,
 * execute, sync); they are kept until the one that asks for an answer, so that a statement enters the database once.
 */
export const createEmbeddedConnection = (
  pglite: PGlite,
  onFailure: (failure: DatabaseUnavailable) => void,
): EmbeddedConnection => {
  let held: Uint8Array[] = []
  let failure: DatabaseUnavailable | undefined

  const execProtocolStream: PGlite['execProtocolStream'] = async (message, options) => {
    const type = message[0]
    if (type !== SYNC && type !== QUERY && type !== FLUSH) {
      held.push(message)
      return []
    }
    const whole = held.length === 0 ? message : Buffer.concat([...held, message])
    held = []
    // PGlite never returns from a call into a database that has given itself up.
    if (failure) throw failure
    const messages = await pglite.execProtocolStream(whole, options).catch((error: unknown) => {
      throw fail(error)
    })
    const panic = findPanic(messages)
    if (panic) fail(panic)
    return messages
  }

  const fail = (cause: unknown): DatabaseUnavailable => {
    if (failure) return failure
    failure = new DatabaseUnavailable(
      'The embedded database stopped itself, most likely because the disk refused a write. Acknowledged changes are ' +
        'safe; it is opened again as soon as the disk takes writes.',
      { cause },
    )
    onFailure(failure)
    return failure
  }

  const config = createPgConfig({ waitReady: pglite.waitReady, execProtocolStream } as PGlite)
  const client = new Client({ ...config, types: valueTypes, pipeline: true })
  client.on('error', () => {})
  return { client, failure: () => failure }
}
