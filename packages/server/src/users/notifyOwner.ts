import type { Context } from '../context/Context.ts'
import { chooseLanguage } from '../mail/chooseLanguage.ts'
import { greet } from '../mail/greet.ts'
import { own, type Say, sayIn } from '../mail/sayIn.ts'
import { languageOf } from './languageOf.ts'

/** What happened, in the owner's words. */
export type Notice = (say: Say) => string

/** Tells an account's owner by mail what happened to it, if there is an address that is known to be the owner's. */
export function notifyOwner(context: Context, userId: string, notice: Notice): void {
  const { db, background } = context
  db.afterCommit(() =>
    background.run('notify owner', async () => {
      const [owner] = await db.query<Owner>({
        text: `select username, email, ${languageOf('u')} as language from "_User" u
               where "objectId" = $1 and email is not null and "emailVerified"`,
        values: [userId],
      })
      if (owner) await sendNotice(context, owner, notice)
    }),
  )
}

export type Owner = { username: string; email: string; language?: unknown }

/** The same for an owner whose account is not there any more. */
export async function sendNotice({ config, mail, clock }: Context, owner: Owner, notice: Notice): Promise<void> {
  // Not that of whoever did it, which need not be the owner.
  const say = await sayIn(chooseLanguage(owner.language))
  await mail.send({
    to: owner.email,
    subject: say('changeSubject', { app: own(config.appName) }),
    text: say('changeText', { name: greet(say, owner), what: own(notice(say)), time: clock.now().toISOString() }),
    link: null,
  })
}
