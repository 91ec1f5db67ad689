import { isIP } from 'node:net'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { type Fragment, sql } from '../../db/sql.ts'
import { chooseLanguage, greet, own, type Say, sayIn } from '../../mail/texts.ts'
import { unknownAddress } from '../../network/clientAddress.ts'
import { rememberBrowser } from '../knownBrowsers.ts'
import { languageOfUser } from '../UserRow.ts'

/** Description of an event for the owner. */
export type Notice = (say: Say) => string

/** Notifies an account's owner by mail about an event, if there is a verified address. */
export function notifyOwner(context: Context, userId: string, notice: Notice): void {
  const { db, background } = context
  db.afterCommit(() =>
    background.run('notify owner', async () => {
      const [owner] = await db.query<Owner>(sql`
        select username, email, ${languageOfUser} as language
        from "_User" u
        where "objectId" = ${userId} and email is not null and "emailVerified"`)
      if (owner) await sendNotice(context, owner, notice)
    }),
  )
}

export type Owner = { username: string; email: string; language?: unknown }

/** The same for an owner whose account is not there any more. */
async function sendNotice({ config, mail, clock }: Context, owner: Owner, notice: Notice): Promise<void> {
  // Not that of the caller, who need not be the owner.
  const say = await sayIn(chooseLanguage(owner.language))
  await mail.send({
    kind: 'accountChanged',
    to: owner.email,
    subject: say('changeSubject', { app: own(config.appName) }),
    text: say('changeText', { name: greet(say, owner), what: own(notice(say)), time: clock.now().toISOString() }),
    link: null,
  })
}

type AlertedOwner = { username: string; email: string; language: string | null }

/** Maximum alerts per hour: someone with the password could bury important mails under alerts. */
const mostAlerts = 10

/** Sign-ins that are looked through: programs sign in every minute. */
const mostSeen = 1_000

/**
 * Mails the owner about a sign-in from a new device. Versions in the browser's name do not count: an update is not a
 * new device, and neither is the first session of an account. `mayHaveAddress` is false where the caller just read that
 * the account has no address to write to.
 */
export function alertNewDevice(
  context: Context,
  caller: Caller,
  userId: string,
  sessionId: string,
  mayHaveAddress = true,
): void {
  const { db, background, mail, config, clock, webUrl } = context
  const userAgent = caller.userAgent?.slice(0, 512) ?? null
  const isKnown = isIP(caller.ipAddress) && caller.ipAddress !== unknownAddress
  const ipAddress = isKnown ? caller.ipAddress : undefined
  const now = clock.now()
  const withoutVersion = (name: Fragment) => sql`regexp_replace(${name}, '[0-9.]+', '', 'g')`
  db.afterCommit(() =>
    background.run('alert of a new device', async () => {
      await rememberBrowser(context, caller, userId)
      if (!mayHaveAddress) return
      const [user, session] = [sql.param(userId), sql.param(sessionId)]
      const [owner] = await db.query<AlertedOwner>(sql.named('find-new-device')`
        with seen as (
          select action, at, details ->> 'session' as session, ${withoutVersion(sql`"userAgent"`)} as device
          from countersign.activity
          where "user" = ${user} and action in ('signIn', 'signUp')
          order by at desc
          limit ${sql.raw(mostSeen)}
        )
        select u.username, u.email, ${languageOfUser} as language
        from "_User" u
        where u."objectId" = ${user} and u.email is not null and u."emailVerified"
          and not exists (select from countersign.account_settings s where s."user" = ${user} and not s.sign_in_alerts)
          and exists (select from seen where session is distinct from ${session})
          and not exists (
            select from seen
            where session is distinct from ${session}
              and device is not distinct from ${withoutVersion(sql`${userAgent}::text`)}
          )
          and (
            select count(distinct device) from seen
            where action = 'signIn' and at > ${new Date(now.getTime() - 3_600_000)}
          ) <= ${mostAlerts}`)
      if (!owner) return
      const link = `${webUrl}/account/activity?kind=sign-ins`
      // The owner's language or English: the person who signed in may be somebody else.
      const say = await sayIn(chooseLanguage(owner.language))
      const device = userAgent === null ? say('unknown') : plain(userAgent)
      const address = ipAddress ?? say('unknown')
      await mail.send({
        kind: 'newDevice',
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
