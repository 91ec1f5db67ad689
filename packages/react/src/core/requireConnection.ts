import { CountersignError } from '@countersign/protocol'
import type { Client } from './Client.ts'
import type { Connection } from './Connection.ts'

export function requireConnection({ internal }: Client): Connection {
  if (internal.connection) return internal.connection
  throw new CountersignError('NotInitialized', 'The client is not initialized.', {
    details: 'Call initialize({ appId, serverUrl }) first, or set initializeOnMount on <CountersignProvider>.',
  })
}
