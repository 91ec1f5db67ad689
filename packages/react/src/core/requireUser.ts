import type { Client } from './Client.ts'
import { NotAuthenticatedError } from './errors/NotAuthenticatedError.ts'
import type { CurrentSession } from './session/CurrentSession.ts'

export function requireUser({ internal }: Client, purpose: string): CurrentSession {
  if (internal.current) return internal.current
  throw new NotAuthenticatedError(`User needs to be authenticated before ${purpose}`)
}
