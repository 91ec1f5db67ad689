import type { WireFields } from '@countersign/protocol'
import type { User } from '../User.ts'
import { isEqual } from '../wire/isEqual.ts'
import type { UserFields } from '../wire/readRecord.ts'
import { toSnapshot } from '../wire/toSnapshot.ts'
import type { Credential, CurrentSession } from './CurrentSession.ts'

/** Puts the edits on top of the record. The snapshot keeps its identity where nothing in it changed. */
export function showUser(
  previous: CurrentSession | undefined,
  next: { credential: Credential; record: UserFields; edits: readonly WireFields[] },
): CurrentSession {
  const shown: WireFields = Object.fromEntries([next.record, ...next.edits].flatMap((part) => Object.entries(part)))
  if (previous && isEqual(previous.shown, shown)) return { ...next, shown: previous.shown, user: previous.user }
  return { ...next, shown, user: toSnapshot<User>(shown) }
}
