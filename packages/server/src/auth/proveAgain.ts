import { refuse } from '@countersign/protocol'
import type { Assertion } from '@countersign/protocol/contract'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findUser } from '../users/findUser.ts'
import { underLockout } from '../users/lockout.ts'
import { needSession } from '../users/needSession.ts'
import { checkPassword } from '../users/passwords.ts'
import { accountKey } from './Account.ts'
import { provePasskey } from './passkeys/provePasskey.ts'
import { type ProofInput, proveAccount } from './proveAccount.ts'

export type StepUpInput = { password?: string; message?: string; signature?: string; credential?: Assertion }

/** What was shown; of a wallet, which one. */
type ShownAgain = { method: 'password' | 'passkey' } | { method: 'wallet'; namespace: string; address: string }

/** How the caller showed once more to be the session's user. A way in of another account is no proof. */
export async function proveAgain(context: Context, caller: Caller, input: StepUpInput): Promise<ShownAgain> {
  const { password, message, signature, credential } = input
  if (password !== undefined) return byPassword(context, caller, password)
  if (message !== undefined && signature !== undefined) return byWallet(context, caller, { message, signature })
  if (credential === undefined) throw refuse('proofMissing')
  await provePasskey(context, caller, 'stepUp', credential)
  return { method: 'passkey' }
}

async function byPassword(context: Context, caller: Caller, password: string): Promise<ShownAgain> {
  const user = await findUser(context, needSession(caller).userId)
  if (!user) throw refuse('wrongPassword', undefined, { status: 401 })
  // Counted with the sign-ins of this name: a stolen session is no way to guess the password undisturbed.
  const right = await underLockout(context, user.username, async () =>
    (await checkPassword(user._password_hash, password)) ? true : undefined,
  )
  if (!right) throw refuse('wrongPassword', undefined, { status: 401 })
  return { method: 'password' }
}

async function byWallet(context: Context, caller: Caller, input: ProofInput): Promise<ShownAgain> {
  const { userId } = needSession(caller)
  const { account } = await proveAccount(context, caller, 'stepUp', input)
  const own = await context.db.query({
    text: 'update countersign.wallets set last_used = $3 where key = $1 and "user" = $2 returning 1',
    values: [accountKey(account), userId, context.clock.now()],
  })
  if (own.length === 0) throw refuse('walletNotLinked', undefined, { status: 401 })
  return { method: 'wallet', namespace: account.namespace, address: account.address }
}
