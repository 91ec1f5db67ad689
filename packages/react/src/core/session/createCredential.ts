import type { Connection } from '../Connection.ts'
import { createUuid } from '../createUuid.ts'
import type { Credential } from './CurrentSession.ts'

/** A new name for a session that the server just opened; none if it opened none. In cookie mode no token is kept. */
export function createCredential({ transport }: Connection, token: string | undefined): Credential | undefined {
  const id = createUuid()
  if (transport === 'cookie') return { id }
  return token === undefined ? undefined : { id, token }
}
