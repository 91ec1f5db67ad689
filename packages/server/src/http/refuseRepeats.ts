import { CountersignError } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { hashToken } from '../context/newToken.ts'

/** As parse-server does it: a request id that was seen on one of the operator's paths is refused, whatever it is for. */
export function refuseRepeats({ db, clock, config }: Context) {
  const { paths, ttl } = config.idempotencyOptions
  const patterns = paths.map((path) => new RegExp(`^(?:${path.replace(/^\^?\/?/, '')})`, 'i'))

  return {
    matches: (path: string) => patterns.some((pattern) => pattern.test(path.replace(/^\/+/, ''))),
    async claim(requestId: string): Promise<void> {
      const now = clock.now()
      const claimed = await db.query({
        text: `insert into countersign.requests as r (id, fingerprint, answer, expires) values ($1, '', '', $2)
               on conflict (id) do update set expires = excluded.expires where r.expires <= $3 returning 1`,
        values: [hashToken(`anyone ${requestId}`), new Date(now.getTime() + ttl * 1000), now],
      })
      if (claimed.length === 0) throw new CountersignError('DuplicateRequest', 'Duplicate request')
    },
  }
}
