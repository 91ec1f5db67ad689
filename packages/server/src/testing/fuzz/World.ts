import type { TestServer } from '../createTestServer.ts'
import type { Pool } from './createPool.ts'

/** Caller of random requests. `kind` decides which secrets it may see. */
export type FuzzActor = {
  name: string
  kind: 'guest' | 'user' | 'operator' | 'master'
  id?: string
  headers: Record<string, string>
  cookie?: string
}

/** Text that only these kinds of callers may see. */
export type Secret = { label: string; readers: ReadonlySet<FuzzActor['kind']> }

/** Server under test, with what an oracle has to know about it. */
export type World = {
  server: TestServer
  pool: Pool
  /** Callers of random requests. */
  actors: FuzzActor[]
  secrets: Map<string, Secret>
  /** Names of ids, so that a kept case works in another run. */
  symbols: Map<string, string>
  /** Rows that no unprivileged caller may change, by class. */
  protectedIds: Map<string, string[]>
  victim: { id: string; token: string }
  /** Private rows that their owner keeps changing, for live queries. */
  moving: string[]
  /** Replaces callers whose session has ended, and classes that a request has removed. */
  tend(): Promise<void>
  stop(): Promise<void>
}

/** Begin of every planted text. No generated text contains it. */
export const secretMark = 'csq7'
