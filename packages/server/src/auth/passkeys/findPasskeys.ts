import type { Context } from '../../context/Context.ts'
import type { PasskeyRow } from './encodePasskey.ts'

/** A user's passkeys, the oldest first. */
export function findPasskeys({ db }: Context, userId: string): Promise<PasskeyRow[]> {
  return db.query<PasskeyRow>({
    text: 'select * from countersign.passkeys where "user" = $1 order by created, "objectId"',
    values: [userId],
  })
}
