import { CountersignError } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import { databaseTime } from '../../db/databaseTime.ts'
import { sql } from '../../db/sql.ts'
import { hashToken } from '../../keys/secrets.ts'

/** As parse-server does it: a request id that was seen on one of the operator's paths is refused, whatever it is for. */
export type Duplicates = {
  /** Returns true for paths of `idempotencyOptions`. */
  matches(path: string): boolean
  claim(requestId: string): Promise<void>
}

export function createDuplicates({ db, clock, config }: Context): Duplicates {
  const { paths, ttl } = config.idempotencyOptions
  const patterns = paths.map((path) => new RegExp(`^(?:${path.replace(/^\^?\/?/, '')})`, 'i'))

  return {
    matches: (path) => patterns.some((pattern) => pattern.test(path.replace(/^\/+/, ''))),
    async claim(requestId) {
      const now = databaseTime(clock)
      const claimed = await db.query(sql`
        insert into countersign.requests as r (id, request_id, fingerprint, answer, created, expires)
        values (${hashToken(`anyone ${requestId}`)}, ${requestId}, '', '',
          ${now}, ${now} + ${ttl} * interval '1 second')
        on conflict (id) do update set created = excluded.created, expires = excluded.expires
        where r.expires <= ${now}
        returning 1`)
      if (claimed.length === 0) throw new CountersignError('DuplicateRequest', 'Duplicate request')
    },
  }
}
