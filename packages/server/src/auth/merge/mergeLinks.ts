import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { hashToken, newToken } from '../../keys/secrets.ts'
import { chooseLanguage, greet, own, sayIn } from '../../mail/texts.ts'
import { type FormerAddress, findFormerAddress, findReach } from '../../users/email/emailChanges.ts'
import type { UserRow } from '../../users/UserRow.ts'
import { nameKey } from '../../users/usernames.ts'

/** Undo offer for the owner of an account that is merged away, who need not be the one who merges it. */
export type MergeUndoOffer = {
  /** Verified address of the account. Its reader gets the link where mail could open the account. */
  former: FormerAddress | undefined
  token: string
  reaches: string
}

/** To be called while the account is still there. `sessionId` is the session of it that proved the merge. */
export async function draftMergeUndo(
  context: Context,
  from: UserRow,
  sessionId: string | null,
): Promise<MergeUndoOffer> {
  const former = await findFormerAddress(context, from.objectId)
  const reaches = await findReach(context, from.objectId, { added: former?.added ?? null }, sessionId ?? undefined)
  return { former, token: newToken(), reaches: reaches.toISOString() }
}

type Merged = { objectId: string; from: string; until: Date; wallets: string[] }

/**
 * Stores the links and wallets that restore the account, and reserves its name and address. Links that undo an address
 * change lead here from now on: a thief who changes the address first and merges then does not end them.
 */
export async function keepMergeUndo(
  { db, clock }: Context,
  { objectId, from, until, wallets }: Merged,
  { former, token }: MergeUndoOffer,
): Promise<void> {
  await db.query(sql`
    insert into countersign.merge_links (hash, merge, expires)
    select hash, ${objectId}, expires from countersign.email_changes where "user" = ${from}
    on conflict (hash) do update set merge = excluded.merge, expires = excluded.expires`)
  if (former?.opens) {
    await db.query(sql`
      insert into countersign.merge_links (hash, merge, expires) values (${hashToken(token)}, ${objectId}, ${until})`)
  }
  await db.query(sql`
    insert into countersign.merged_wallets (key, merge, is_contract)
    select key, ${objectId}, chain_id is not null from countersign.wallets where "objectId" = any(${wallets})
    union
    select key, ${objectId}, chain_id is not null from countersign.unlinked_wallets
    where "user" = ${from} and reaches is not null and expires > ${clock.now()}
    on conflict do nothing`)
  const changes = await db.query<{ email: string }>(
    sql`select email from countersign.email_changes where "user" = ${from}`,
  )
  await db.query(sql`
    insert into countersign.reserved_names (kind, key, "user", expires)
    select distinct kind, key, "objectId", ${until}::timestamptz from (
      select 'username' as kind, "_username_key" as key, "objectId" from "_User" where "objectId" = ${from}
      union all
      select 'email', "_email_key", "objectId" from "_User" where "objectId" = ${from} and "emailVerified"
      union all
      select 'email', unnest(${changes.map(({ email }) => nameKey(email))}::text[]), ${from}
    ) names
    where key is not null
    on conflict (kind, key) do update set "user" = excluded."user", expires = excluded.expires`)
}

/** Tells the owner of the account that is gone, with the link that brings it back. */
export function mailMergeUndo(
  context: Context,
  from: UserRow,
  into: UserRow,
  until: Date,
  { former, token }: MergeUndoOffer,
): void {
  if (!former) return
  const { db, background, config, clock, mail, webUrl } = context
  const time = clock.now().toISOString()
  db.afterCommit(() =>
    background.run('notify owner', async () => {
      const say = await sayIn(chooseLanguage(former.language))
      const what = own(say('mergedAway', { from: from.username, into: into.username, until: until.toISOString() }))
      const link = former.opens ? `${webUrl}/undo-email/merge?token=${token}` : null
      const text = say('changeText', { name: greet(say, former), what, time })
      await mail.send({
        kind: 'accountChanged',
        to: former.email,
        subject: say('changeSubject', { app: own(config.appName) }),
        text:
          link === null ? text : `${text}\n${say('mergedAwayLink', { link: own(link), until: until.toISOString() })}`,
        link,
      })
    }),
  )
}
