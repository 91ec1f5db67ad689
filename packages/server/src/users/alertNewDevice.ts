import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'

type Owner = { username: string; email: string }

/**
 * Tells the owner by mail of a sign-in from a device that the account has not seen. Versions in the name of a browser
 * do not count: an update is no new device. The first session of an account is none either.
 */
export function alertNewDevice(context: Context, caller: Caller, userId: string, sessionId: string): void {
  const { db, background, mail, config, clock, publicUrl } = context
  const userAgent = caller.userAgent?.slice(0, 512) ?? null
  const at = clock.now().toISOString()
  db.afterCommit(() =>
    background.run('alert of a new device', async () => {
      const [owner] = await db.query<Owner>({
        name: 'find-new-device',
        text: `select u.username, u.email from "_User" u
               where u."objectId" = $1 and u.email is not null and u."emailVerified"
                 and not exists (select from countersign.account_settings s where s."user" = $1 and not s.sign_in_alerts)
                 and exists (select from countersign.activity a where a."user" = $1 and a.action in ('signIn', 'signUp')
                   and a.details ->> 'session' is distinct from $2)
                 and not exists (select from countersign.activity a where a."user" = $1 and a.action in ('signIn', 'signUp')
                   and a.details ->> 'session' is distinct from $2
                   and regexp_replace(a."userAgent", '[0-9.]+', '', 'g') is not distinct from regexp_replace($3, '[0-9.]+', '', 'g'))`,
        values: [userId, sessionId, userAgent],
      })
      if (!owner) return
      const link = `${publicUrl}/account/activity?kind=sign-ins`
      await mail.send({
        to: owner.email,
        subject: `A new device signed in to your account at ${config.appName}`,
        text: `Hello ${owner.username},\n\na device that was not here before signed in to your account.\n\nDevice: ${plain(userAgent)}\nAddress: ${caller.ipAddress}\nTime: ${at}\n\nIf it was you, there is nothing to do. If not, say so here:\n\n${link}\n`,
        link,
      })
    }),
  )
}

/** A stranger writes this line: it must not write further ones, nor an address to press. */
function plain(userAgent: string | null): string {
  if (userAgent === null) return 'unknown'
  return userAgent.replace(/[^\x20-\x7e]/g, ' ').replace(/\b(https?:\/\/|www\.)\S*/gi, '')
}
