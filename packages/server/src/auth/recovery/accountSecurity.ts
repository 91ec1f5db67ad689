import type { AccountSecurity, EndpointTypes } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { recordActivity } from '../../users/activity.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { makeSensitiveChange } from '../../users/sensitiveChanges.ts'
import { requireSession } from '../../users/sessions/sessions.ts'

type Row = { left: number; made: number; created: Date | null; used: Date | null; alerts: boolean | null }

/** Number of remaining recovery codes, and the setting of new-device alerts. The codes themselves are shown once. */
export async function getAccountSecurity({ db }: Context, caller: Caller): Promise<AccountSecurity> {
  const { userId } = requireSession(caller)
  const [row] = await db.query<Row>(sql`
    select count(*) filter (where used is null)::int as left, count(*)::int as made,
      max(created) as created, max(used) as used,
      (select sign_in_alerts from countersign.account_settings where "user" = ${userId}) as alerts
    from countersign.recovery_codes
    where "user" = ${userId}`)
  return {
    recoveryCodes: {
      left: row?.left ?? 0,
      made: row?.made ?? 0,
      ...(row?.created && { createdAt: row.created.toISOString() }),
      ...(row?.used && { lastUsedAt: row.used.toISOString() }),
    },
    signInAlerts: row?.alerts ?? true,
  }
}

/** Turns alerts on or off. Off needs a proof: it is the first thing that an intruder would do. */
async function updateAccountSecurity(
  context: Context,
  caller: Caller,
  { signInAlerts }: EndpointTypes['updateAccountSecurity']['input'],
): Promise<AccountSecurity> {
  const { userId } = requireSession(caller)
  await (signInAlerts
    ? context.db.transaction(change)
    : makeSensitiveChange(context, caller, 'turnAlertsOff', userId, change))
  return getAccountSecurity(context, caller)

  async function change(): Promise<void> {
    await context.db.query(sql`
      insert into countersign.account_settings ("user", sign_in_alerts) values (${userId}, ${signInAlerts})
      on conflict ("user") do update set sign_in_alerts = excluded.sign_in_alerts`)
    await recordActivity(context, caller, userId, signInAlerts ? 'turnAlertsOn' : 'turnAlertsOff')
    if (!signInAlerts) notifyOwner(context, userId, (say) => say('alertsOff'))
  }
}

export const getAccountSecurityEndpoint = defineEndpoint('getAccountSecurity', {
  handle: ({ context, caller }) => getAccountSecurity(context, caller),
})

export const updateAccountSecurityEndpoint = defineEndpoint('updateAccountSecurity', {
  handle: ({ context, caller, input }) => updateAccountSecurity(context, caller, input),
})
