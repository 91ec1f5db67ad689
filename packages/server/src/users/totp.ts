import { refuse } from '@countersign/protocol'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { decrypt, encrypt } from '../keys/secrets.ts'
import { countInWindow } from './countInWindow.ts'
import { notifyOwner } from './email/notifyOwner.ts'

const period = 30

const digits = 6

/** Loaded at first use: a server whose users have no second factor does without it. */
const loadTotp = () => import('otpauth')

/** A new secret of 160 bits. */
export async function newTotpSecret(): Promise<string> {
  const { Secret } = await loadTotp()
  return new Secret({ size: 20 }).base32
}

export async function describeTotp({ config }: Context, secret: string, account: string): Promise<string> {
  const { TOTP, Secret } = await loadTotp()
  return new TOTP({ issuer: config.appName, label: account, secret: Secret.fromBase32(secret) }).toString()
}

/** The 30 seconds that a code is for, one more or less than now for clocks that differ; `undefined` where it is wrong. */
export async function findTotpStep({ clock }: Context, secret: string, code: string): Promise<number | undefined> {
  const { TOTP, Secret } = await loadTotp()
  const token = code
    .normalize('NFKC')
    .replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 15))
  const plain = token.replace(/\s/g, '')
  if (!/^\d{6}$/.test(plain)) return undefined
  const totp = new TOTP({ secret: Secret.fromBase32(secret), period, digits })
  const delta = totp.validate({ token: plain, timestamp: clock.ms(), window: 1 })
  return delta === null ? undefined : Math.floor(clock.ms() / 1000 / period) + delta
}

const day = 24 * 60 * 60_000

/** Wrong codes in a day for one account. Who enters them has shown the first factor already. */
const mostWrong = 20

/**
 * Runs a check of a code. It is counted as wrong before it runs, so that a burst of guesses cannot outrun the count, and
 * taken back where it fits.
 */
export async function underCodeLimit<Result>(
  context: Context,
  userId: string,
  check: () => Promise<Result | undefined>,
): Promise<Result> {
  const { db, clock } = context
  const key = `TOTP ${userId}`
  const { count, since } = await countInWindow(context, key, day)
  if (count > mostWrong) {
    const minutes = Math.ceil((since.getTime() + day - clock.ms()) / 60_000)
    throw refuse('tooManyFailedSignIns', { minutes })
  }
  const result = await check()
  if (result !== undefined) {
    await db.query(sql`update countersign.email_code_counts set count = count - 1 where key = ${key} and count > 0`)
    return result
  }
  if (count === mostWrong) notifyOwner(context, userId, (say) => say('secondFactorGuessed'))
  throw refuse('invalidSecondFactorCode')
}

/** Checks a code of the account's authenticator app and uses it up. Counts what is wrong. */
export async function checkTotp(context: Context, userId: string, code: string): Promise<void> {
  await underCodeLimit(context, userId, async () => {
    const [row] = await context.db.query<{ secret: Buffer | null }>(
      sql`select secret from countersign.second_factors where "user" = ${userId} and confirmed is not null`,
    )
    const secret = row?.secret ? openTotp(context, row.secret) : undefined
    const step = secret === undefined ? undefined : await findTotpStep(context, secret, code)
    return step !== undefined && (await useStep(context, userId, step)) ? true : undefined
  })
}

/** Consumes a code: of two concurrent uses one succeeds, and a code seen over a shoulder is worthless. */
async function useStep({ db }: Context, userId: string, step: number): Promise<boolean> {
  const used = await db.query(sql`
    update countersign.second_factors set last_step = ${step}
    where "user" = ${userId} and last_step < ${step}
    returning 1`)
  return used.length > 0
}

export const sealTotp = ({ keys }: Context, secret: string) => encrypt(keys, 'totp', secret)

export const openTotp = ({ keys }: Context, sealed: Buffer) => decrypt(keys, 'totp', sealed)
