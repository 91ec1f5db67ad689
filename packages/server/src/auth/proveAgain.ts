import { CountersignError, type WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { findUser } from '../users/findUser.ts'
import { underLockout } from '../users/lockout.ts'
import { needSession } from '../users/needSession.ts'
import { checkPassword } from '../users/passwords.ts'
import { refuseLongPassword } from '../users/readCredentials.ts'
import { accountKey } from './Account.ts'
import { provePasskey } from './passkeys/provePasskey.ts'
import { proveAccount, refused } from './proveAccount.ts'

export type StepUpInput = { password?: WireValue; message?: WireValue; signature?: WireValue; credential?: WireValue }

/** What was shown; of a wallet, which one. */
type ShownAgain = { method: 'password' | 'passkey' } | { method: 'wallet'; namespace: string; address: string }

/** How the caller showed once more to be the session's user. A way in of another account is no proof. */
export async function proveAgain(context: Context, caller: Caller, input: StepUpInput): Promise<ShownAgain> {
  if (input.password !== undefined) return byPassword(context, caller, input.password)
  if (input.message !== undefined || input.signature !== undefined) return byWallet(context, caller, input)
  if (input.credential !== undefined) {
    await provePasskey(context, caller, 'stepUp', input.credential)
    return { method: 'passkey' }
  }
  throw new CountersignError(
    'MissingRequiredField',
    'A password, a credential, or a message and its signature are needed.',
  )
}

async function byPassword(context: Context, caller: Caller, password: WireValue): Promise<ShownAgain> {
  if (typeof password === 'string') refuseLongPassword(password)
  const user = await findUser(context, needSession(caller).userId)
  if (!user || typeof password !== 'string') throw refused('The password is not right.')
  // Counted with the sign-ins of this name: a stolen session is no way to guess the password undisturbed.
  const right = await underLockout(context, user.username, async () =>
    (await checkPassword(user._password_hash, password)) ? true : undefined,
  )
  if (!right) throw refused('The password is not right.')
  return { method: 'password' }
}

async function byWallet(context: Context, caller: Caller, input: StepUpInput): Promise<ShownAgain> {
  const { userId } = needSession(caller)
  const { account } = await proveAccount(context, caller, 'stepUp', input)
  const own = await context.db.query({
    text: 'update countersign.wallets set last_used = $3 where key = $1 and "user" = $2 returning 1',
    values: [accountKey(account), userId, context.clock.now()],
  })
  if (own.length === 0) throw refused('This wallet is not linked to your account.')
  return { method: 'wallet', namespace: account.namespace, address: account.address }
}
