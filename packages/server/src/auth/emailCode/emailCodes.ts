import { randomInt, timingSafeEqual } from 'node:crypto'
import { refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { hashToken, newToken } from '../../keys/secrets.ts'
import { chooseLanguage, greet, own, sayIn } from '../../mail/texts.ts'
import { countInWindow, countMail, mailLimit } from '../../users/countInWindow.ts'
import { isHeld, mailOpens, signsInByCode } from '../../users/email/emailChanges.ts'
import { readEmail } from '../../users/email/readEmail.ts'
import { findAllowance } from '../../users/knownBrowsers.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { hasMethod, mayAddressSignUp } from '../../users/signUpRules.ts'
import { languageOfUser } from '../../users/UserRow.ts'
import { nameKey } from '../../users/usernames.ts'
import { bindingOf } from '../challenges.ts'
import { newRecoveryCode, readTypedCode } from '../recovery/recoveryCodes.ts'

const minute = 60_000

const day = 24 * 60 * minute

const attemptsPerCode = 5

/**
 * Wrong codes per day, for one address and for the whole server, until codes become too long to be guessed. Nobody is
 * locked out: a guessing stranger only makes the owner's next code longer.
 */
const mostWrong = { address: 10, server: 1_000 }

export type EmailCode = { handle: Buffer; email: string; key: string; user: string | null }

type CodeRow = EmailCode & { binding: Buffer; code: Buffer; is_short: boolean }

/** Mails a code to an address, for this browser alone. The response and its time do not depend on the address. */
async function requestEmailCode(
  context: Context,
  caller: Caller,
  input: { email?: string | undefined; purpose?: 'signIn' | 'reauthenticate' | null | undefined },
): Promise<{ handle: string; expiresAt: string }> {
  const { config, db, clock, background } = context
  requireEnabled(context)
  const binding = bindingOf(caller)
  const userId = input.purpose === 'reauthenticate' ? requireSession(caller).userId : null
  const email = userId === null ? readAddress(input.email) : await getOwnAddress(context, userId)
  const key = nameKey(email)
  const allowance = await findAllowance(context, caller, userId === null ? { name: email } : { userId })
  const asked = await countMail(context, 'asked', key, allowance)
  if (asked.isOneTooMany) {
    const left = asked.since.getTime() + mailLimit.window - clock.now().getTime()
    throw refuse('tooManyEmailCodes', { minutes: Math.max(1, Math.ceil(left / minute)) })
  }

  const isShort = !(await isGuessed(context, key))
  const code = isShort ? String(randomInt(1_000_000)).padStart(6, '0') : newRecoveryCode(12)
  const [handle, link] = [newToken(), newToken()]
  const expires = new Date(clock.now().getTime() + config.emailCode.validity * 1000)
  // A browser has one code per address: the last requested.
  await db.query(sql`
    with older as (
      delete from countersign.email_codes where email_key = ${key} and binding = ${binding}
    )
    insert into countersign.email_codes (handle, binding, "user", email, email_key, code, is_short, link, expires)
    values (${hashToken(handle)}, ${binding}, ${userId}, ${email}, ${key}, ${hashCode(handle, code)}, ${isShort},
      ${hashLink(link)}, ${expires})`)
  background.runLater('send e-mail code', () =>
    sendCode(context, caller, { email, key, code, link, isReauthentication: userId !== null }),
  )
  return { handle, expiresAt: expires.toISOString() }
}

function requireEnabled(context: Context): void {
  if (!hasMethod(context, 'emailCode')) throw refuse('emailCodeDisabled')
}

function readAddress(email: string | undefined): string {
  if (email === undefined) throw refuse('emailMissing')
  return readEmail(email.trim())
}

async function getOwnAddress({ db, config }: Context, userId: string): Promise<string> {
  const [row] = await db.query<{ email: string }>(
    sql`select email from "_User" u where "objectId" = ${userId} and ${isHeld} and ${signsInByCode(config)}`,
  )
  if (!row) throw refuse('emailCodeWithoutAddress')
  return row.email
}

/** With the handle, which is kept nowhere: from a copy of the database nobody can find six digits again. */
const hashCode = (handle: string, code: string) => hashToken(`email code ${handle} ${readTypedCode(code)}`)

export const hashLink = (token: string) => hashToken(`email link ${token}`)

type Found = {
  objectId: string
  username: string
  email: string
  language: string | null
  opens: boolean
  held: boolean
}

async function sendCode(
  context: Context,
  caller: Caller,
  sent: { email: string; key: string; code: string; link: string; isReauthentication: boolean },
): Promise<void> {
  const { config, db, mail, publicUrl, webUrl } = context
  const [found] = await db.query<Found>(sql`
    select "objectId", username, email, ${languageOfUser} as language, ${mailOpens(config)} as opens, ${isHeld} as held
    from "_User" u
    where "_email_key" = ${sent.key}`)
  if (!found?.opens && !(config.emailCode.signUp && mayAddressSignUp(context, caller, sent.key))) return
  const say = await sayIn(chooseLanguage(found?.opens ? found.language : null, caller.acceptLanguage))
  // To the account's spelling of the address; the caller's only without an account.
  const to = found?.opens ? found.email : sent.email
  const minutes = String(Math.round(config.emailCode.validity / 60))
  // The link leads to our page: only a browser that sends its binding there, in our cookie, can confirm it.
  const link =
    caller.binding?.startsWith('browser:') && !sent.isReauthentication && sendsCookiesTo(webUrl, caller, publicUrl)
      ? `${webUrl}/sign-in/link?token=${sent.link}`
      : null
  const parts = [
    say('emailCodeText', {
      name: found?.opens ? greet(say, found) : own(say('reader')),
      app: own(config.appName),
      code: own(sent.code),
      minutes,
    }),
    ...(link === null ? [] : [say('emailCodeLink', { link: own(link) })]),
    ...(found?.opens && !found.held ? [say('emailCodeAlone')] : []),
    say('emailCodeEnd'),
  ]
  await mail.send({
    kind: 'signInCode',
    to,
    subject: say('emailCodeSubject', { app: own(config.appName) }),
    text: parts.join('\n'),
    link,
  })
}

/** Cookies belong to a host, on any of its ports. */
function sendsCookiesTo(webUrl: string, { origin }: Caller, publicUrl: string): boolean {
  const page = origin !== undefined && URL.canParse(origin) ? origin : publicUrl
  return new URL(page).hostname === new URL(webUrl).hostname
}

/**
 * Finds the code that was typed. Each try is counted before it is compared, in one statement: of a thousand tries at
 * once, five are compared.
 */
export async function checkEmailCode(
  context: Context,
  caller: Caller,
  { handle, code }: { handle: string; code: string },
): Promise<EmailCode> {
  const { db, clock } = context
  requireEnabled(context)
  const [row] = await db.query<CodeRow>(sql`
    update countersign.email_codes set attempts = attempts + 1
    where handle = ${hashToken(handle)} and attempts < ${attemptsPerCode} and expires > ${clock.now()}
    returning handle, email, email_key as key, "user", binding, code, is_short`)
  if (!row) throw refuse('emailCodeExpired')
  refuseOtherBrowser(caller, row)
  // Codes mailed before somebody began to guess are too short now.
  if (row.is_short && (await isGuessed(context, row.key))) throw refuse('emailCodeExpired')
  if (timingSafeEqual(row.code, hashCode(handle, code))) return row
  await countInWindow(context, `wrong ${row.key}`, day)
  await countInWindow(context, wrongOnServer, day)
  throw refuse('invalidEmailCode')
}

/** The same by the mailed link, whose secret cannot be guessed. */
export async function checkEmailLink(context: Context, caller: Caller, token: string): Promise<EmailCode> {
  const { db, clock } = context
  requireEnabled(context)
  const [row] = await db.query<CodeRow>(sql`
    select handle, email, email_key as key, "user", binding, code, is_short
    from countersign.email_codes
    where link = ${hashLink(token)} and "user" is null and expires > ${clock.now()}`)
  if (!row) throw refuse('linkExpired')
  refuseOtherBrowser(caller, row)
  return row
}

/** The reader of the mail must also be the requester: a link sent to somebody else does not sign in. */
function refuseOtherBrowser(caller: Caller, { binding }: CodeRow): void {
  if (!caller.binding || !timingSafeEqual(binding, hashToken(caller.binding))) throw refuse('challengeOfOtherBrowser')
}

/** Consumes a code and its link: of two concurrent uses, one succeeds. Runs in the transaction of the sign-in. */
export async function spendEmailCode({ db }: Context, { handle }: EmailCode): Promise<void> {
  const spent = await db.query(sql`delete from countersign.email_codes where handle = ${handle} returning 1`)
  if (spent.length === 0) throw refuse('emailCodeExpired')
}

/** Upper case is in no address's key, so that no address is counted as this. */
const wrongOnServer = 'wrong SERVER'

/** Returns true after so many recent wrong codes that six digits are too few. */
async function isGuessed({ db, clock }: Context, key: string): Promise<boolean> {
  const rows = await db.query<{ key: string; count: number }>(sql`
    select key, count from countersign.email_code_counts
    where key in (${`wrong ${key}`}, ${wrongOnServer}) and since > ${new Date(clock.now().getTime() - day)}`)
  return rows.some(({ key: counted, count }) => count >= mostWrong[counted === wrongOnServer ? 'server' : 'address'])
}

export const requestEmailCodeEndpoint = defineEndpoint('requestEmailCode', {
  handle: ({ context, caller, input }) => requestEmailCode(context, caller, input),
})
