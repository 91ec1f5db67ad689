import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { isOperator } from '../operators.ts'
import { findAdditional, findSecondFactor, isSecondFactorRequired } from '../secondFactor.ts'

/** Guard that keeps mail alone from opening an account. */
export type Guard =
  /** A factor that the reader of the mailbox can show. */
  | { kind: 'factor'; totp: boolean; passkey: boolean; additional: boolean }
  /** Rights of an operator, or a role that demands a factor, without one to show. */
  | { kind: 'rights' }
  /** The address came lately, and the reader of the former one can still take the account back. */
  | { kind: 'undo' }

/**
 * Finds the guard that mail alone does not pass. `held`: account and mailbox have proven to belong to one holder, so a
 * factor is required at the sign-in and nothing is taken over. Without that, the reader may be a stranger to the
 * account, or the account a stranger's trap: after a change of address a thief who moves the account to the own mailbox
 * looks like an attacker who leaves an account in the mailbox of a victim, so neither gets it while the undo of the
 * change is pending.
 */
export async function findGuard(context: Context, userId: string, held: boolean): Promise<Guard | undefined> {
  const { totp, passkey } = await findSecondFactor(context, userId)
  const additional = (await findAdditional(context, userId)).length > 0
  const hasFactor = totp || passkey || additional
  if (hasFactor) return held ? undefined : { kind: 'factor', totp, passkey, additional }
  if (await isOperator(context, userId)) return { kind: 'rights' }
  if (held) return undefined
  // Demanded of everyone, it says nothing about this account.
  const byRole = context.config.secondFactor.required !== 'everyone'
  if (byRole && (await isSecondFactorRequired(context, userId))) return { kind: 'rights' }
  const pending = await context.db.query(sql`
    select from countersign.email_changes where "user" = ${userId} and expires > ${context.clock.now()} limit 1`)
  return pending.length > 0 ? { kind: 'undo' } : undefined
}
