import type { InitialSession } from '../InitialSession.ts'
import type { SessionState } from '../SessionState.ts'
import { readRecord } from '../wire/readRecord.ts'
import type { CurrentSession } from './CurrentSession.ts'
import { showUser } from './showUser.ts'

/** The state that a page begins with: what it was rendered with, if anything. */
export function readInitialSession(initial: InitialSession | undefined): {
  readonly state: SessionState
  /** The user of the rendered page; its session has no name in this browser yet. */
  readonly rendered?: CurrentSession
} {
  if (initial?.status === 'unauthenticated') return { state: { status: 'unauthenticated' } }
  const record = initial?.status === 'authenticated' && readRecord(initial.user)
  if (!record) return { state: { status: 'undefined' } }
  const rendered = showUser(undefined, { credential: { id: '' }, record, edits: [] })
  return { state: { status: 'authenticated', user: rendered.user }, rendered }
}
