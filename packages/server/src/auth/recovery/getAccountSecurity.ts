import type { AccountSecurity } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { needSession } from '../../users/needSession.ts'

type Row = { left: number; made: number; created: Date | null; alerts: boolean | null }

/** How many recovery codes are left, and whether the owner hears of new devices. The codes themselves are told once. */
export async function getAccountSecurity({ db }: Context, caller: Caller): Promise<AccountSecurity> {
  const { userId } = needSession(caller)
  const [row] = await db.query<Row>({
    text: `select count(*) filter (where used is null)::int as left, count(*)::int as made, max(created) as created,
             (select sign_in_alerts from countersign.account_settings where "user" = $1) as alerts
           from countersign.recovery_codes where "user" = $1`,
    values: [userId],
  })
  return {
    recoveryCodes: {
      left: row?.left ?? 0,
      made: row?.made ?? 0,
      ...(row?.created && { createdAt: row.created.toISOString() }),
    },
    signInAlerts: row?.alerts ?? true,
  }
}
