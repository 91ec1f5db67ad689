import type { AccountSecurity, EndpointTypes } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { needSession } from '../../users/needSession.ts'
import { noteActivity } from '../../users/noteActivity.ts'
import { notifyOwner } from '../../users/notifyOwner.ts'
import { makeSensitiveChange } from '../../users/sensitiveChanges.ts'
import { getAccountSecurity } from './getAccountSecurity.ts'

/** Turns alerts on or off. Off needs a proof: it is the first thing that an intruder would do. */
export async function updateAccountSecurity(
  context: Context,
  caller: Caller,
  { signInAlerts }: EndpointTypes['updateAccountSecurity']['input'],
): Promise<AccountSecurity> {
  const { userId } = needSession(caller)
  await (signInAlerts
    ? context.db.transaction(change)
    : makeSensitiveChange(context, caller, 'turnAlertsOff', userId, change))
  return getAccountSecurity(context, caller)

  async function change(): Promise<void> {
    await context.db.query({
      text: `insert into countersign.account_settings ("user", sign_in_alerts) values ($1, $2)
             on conflict ("user") do update set sign_in_alerts = excluded.sign_in_alerts`,
      values: [userId, signInAlerts],
    })
    await noteActivity(context, caller, userId, signInAlerts ? 'turnAlertsOn' : 'turnAlertsOff')
    if (!signInAlerts) notifyOwner(context, userId, (say) => say('alertsOff'))
  }
}
