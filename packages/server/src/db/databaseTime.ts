import type { Clock } from '../clock/Clock.ts'
import { type Fragment, sql } from './sql.ts'

/**
 * Time of the database, the one clock that all servers share: the wrong clock of one server must not end early what
 * others wrote. Tests move it.
 */
export const databaseTime = (clock: Clock): Fragment => sql`(now() + ${clock.shift?.() ?? 0} * interval '1 ms')`
