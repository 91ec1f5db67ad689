import type { PGlite } from '@electric-sql/pglite'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { Client } from 'pg'
import { valueTypes } from '../valueTypes.ts'

const QUERY = 'Q'.charCodeAt(0)
const SYNC = 'S'.charCodeAt(0)
const FLUSH = 'H'.charCodeAt(0)

/**
 * A `pg` client on PGlite. Its adapter hands over each message of a statement by itself (parse, bind, describe,
 * execute, sync); they are kept until the one that asks for an answer, so that a statement enters the database once.
 */
export const createEmbeddedConnection = (pglite: PGlite): Client => {
  let held: Uint8Array[] = []

  const execProtocolStream: PGlite['execProtocolStream'] = async (message, options) => {
    const type = message[0]
    if (type !== SYNC && type !== QUERY && type !== FLUSH) {
      held.push(message)
      return []
    }
    const whole = held.length === 0 ? message : Buffer.concat([...held, message])
    held = []
    return pglite.execProtocolStream(whole, options)
  }

  const config = createPgConfig({ waitReady: pglite.waitReady, execProtocolStream } as PGlite)
  return new Client({ ...config, types: valueTypes, pipeline: true })
}
