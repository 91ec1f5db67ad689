import { CountersignError } from '@countersign/protocol'
import { NotAuthenticatedError, ValidationError } from '../errors/errors.ts'
import type { Client, Connection, CurrentSession } from './Client.ts'

export function requireConnection({ internal }: Client): Connection {
  if (internal.connection) return internal.connection
  throw new CountersignError('NotInitialized', 'The client is not initialized.', {
    details: 'Call initialize({ appId, serverUrl }) first, or set initializeOnMount on <CountersignProvider>.',
  })
}

/** The message for a value that is no string. */
export function requireString(name: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw new ValidationError(`${name} can only be a string type`)
}

/** Checks `username`, `password` and `email` where they are supplied. */
export function requireStrings(fields: object): void {
  const given = new Map<string, unknown>(Object.entries(fields))
  for (const name of ['username', 'password', 'email']) {
    if (given.get(name) !== undefined) requireString(name, given.get(name))
  }
}

export function requireUser({ internal }: Client, purpose: string): CurrentSession {
  if (internal.current) return internal.current
  throw new NotAuthenticatedError(`User needs to be authenticated before ${purpose}`)
}

/** The server responded without a user. */
export function missingUser(after: string): CountersignError {
  return new CountersignError('ObjectNotFound', `No user data found after ${after}`, {
    details: 'Check that serverUrl is a Countersign server and that no proxy changes its responses.',
  })
}
