import { refuse } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'

/** The caller's session, or 209. */
export function needSession(caller: Caller): NonNullable<Caller['session']> {
  if (!caller.session) throw refuse('invalidSessionToken')
  return caller.session
}
