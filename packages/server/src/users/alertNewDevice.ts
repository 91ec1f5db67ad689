import { isIP } from 'node:net'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { chooseLanguage } from '../mail/chooseLanguage.ts'
import { greet } from '../mail/greet.ts'
import { own, sayIn } from '../mail/sayIn.ts'
import { languageOf } from './languageOf.ts'

type Owner = { username: string; email: string; language: string | null }

/** Alerts in an hour. One who has the password could bury the mails that matter under alerts. */
const mostAlerts = 10
/** Sign-ins that are looked through: programs sign in every minute. */
const mostSeen = 1_000

/**
 * Tells the owner by mail of a sign-in from a device that the account has not seen. Versions in the name of a browser
 * do not count: an update is no new device. The first session of an account is none either.
 */
export function alertNewDevice(context: Context, caller: Caller, userId: string, sessionId: string): void {
  const { db, background, mail, config, clock, publicUrl } = context
  const userAgent = caller.userAgent?.slice(0, 512) ?? null
  const ipAddress = isIP(caller.ipAddress) ? caller.ipAddress : undefined
  const now = clock.now()
  const withoutVersion = (name: string) => `regexp_replace(${name}, '[0-9.]+', '', 'g')`
  db.afterCommit(() =>
    background.run('alert of a new device', async () => {
      const [owner] = await db.query<Owner>({
        name: 'find-new-device',
        text: `with seen as (
                 select action, at, details ->> 'session' as session, ${withoutVersion('"userAgent"')} as device
                 from countersign.activity where "user" = $1 and action in ('signIn', 'signUp')
                 order by at desc limit ${mostSeen}
               )
               select u.username, u.email, ${languageOf('u')} as language from "_User" u
               where u."objectId" = $1 and u.email is not null and u."emailVerified"
                 and not exists (select from countersign.account_settings s where s."user" = $1 and not s.sign_in_alerts)
                 and exists (select from seen where session is distinct from $2)
                 and not exists (select from seen where session is distinct from $2 and device is not distinct from ${withoutVersion('$3')})
                 and (select count(distinct device) from seen where action = 'signIn' and at > $4) <= $5`,
        values: [userId, sessionId, userAgent, new Date(now.getTime() - 3_600_000), mostAlerts],
      })
      if (!owner) return
      const link = `${publicUrl}/account/activity?kind=sign-ins`
      // The owner's language or English: whoever signed in has no say in what the owner can read.
      const say = await sayIn(chooseLanguage(owner.language))
      const device = userAgent === null ? say('unknown') : plain(userAgent)
      const address = ipAddress ?? say('unknown')
      await mail.send({
        to: owner.email,
        subject: say('newDeviceSubject', { app: own(config.appName) }),
        text: say('newDeviceText', {
          name: greet(say, owner),
          device,
          address,
          time: now.toISOString(),
          link: own(link),
        }),
        link,
      })
    }),
  )
}

/** A stranger writes this line: it must not write further ones, nor anything that a mail program makes a link of. */
function plain(userAgent: string): string {
  return userAgent
    .replace(/[^\x20-\x7e]|@/g, ' ')
    .replace(/[a-z]+:\/\/\S*/gi, '')
    .replace(/\.(?=[a-z])/gi, ' ')
    .slice(0, 200)
}
