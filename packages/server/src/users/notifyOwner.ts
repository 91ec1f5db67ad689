import type { Context } from '../context/Context.ts'

/** Tells an account's owner by mail what happened to it, if there is an address that is known to be the owner's. */
export function notifyOwner(context: Context, userId: string, what: string): void {
  const { db, background } = context
  db.afterCommit(() =>
    background.run('notify owner', async () => {
      const [owner] = await db.query<Owner>({
        text: 'select username, email from "_User" where "objectId" = $1 and email is not null and "emailVerified"',
        values: [userId],
      })
      if (owner) await sendNotice(context, owner, what)
    }),
  )
}

export type Owner = { username: string; email: string }

/** The same for an owner whose account is not there any more. */
export async function sendNotice({ config, mail, clock }: Context, owner: Owner, what: string): Promise<void> {
  await mail.send({
    to: owner.email,
    subject: `A change to your account at ${config.appName}`,
    text: `Hello ${owner.username},\n\n${what}\n\nThis was at ${clock.now().toISOString()}. If it was not you, sign in, look at your ways in and end the other sessions.\n`,
    link: null,
  })
}
