import { refuse, type WalletRecord } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { defineEndpoint } from '../../endpoint/defineEndpoint.ts'
import { findHooks, runAfter, runBefore } from '../../hooks/runHooks.ts'
import { notifyOfAddition } from '../../users/holders/offerRecovery.ts'
import { makeSensitiveChange, requireFreshProof } from '../../users/sensitiveChanges.ts'
import { requireSession } from '../../users/sessions/sessions.ts'
import { accountKey, type ProvenAccount, plainAccount } from '../Account.ts'
import { checksumAddress } from './SignInMessage.ts'
import { type ProofInput, verifyWalletProof } from './verifyWalletProof.ts'
import type { WalletRow } from './WalletRow.ts'
import { addWallet, encodeWallet } from './wallets.ts'

/** Adds a wallet to the caller's account: a session that was proven a short time ago, and a fresh signature that names the account. */
async function linkWallet(context: Context, caller: Caller, input: ProofInput): Promise<WalletRecord> {
  const { userId } = requireSession(caller)
  await requireFreshProof(context, caller, 'linkWallet', userId)
  const { account } = await verifyWalletProof(context, caller, 'link', input)
  return linkAccount(context, caller, userId, account)
}

/** Links an account that was proven for this. One that is linked already stays; one of somebody else is refused with 208. */
export async function linkAccount(
  context: Context,
  caller: Caller,
  userId: string,
  account: ProvenAccount,
): Promise<WalletRecord> {
  const shown = account.namespace === 'eip155' ? checksumAddress(account.address) : account.address
  try {
    await makeSensitiveChange(context, caller, 'linkWallet', userId, async () => {
      await askBeforeLink(context, caller, account)
      await addWallet(context, caller, userId, account)
      await notifyOfAddition(context, caller, userId, (say) => say('walletAdded', { address: shown }))
    })
  } catch (error) {
    if (!isUniqueViolation(error, 'wallets_pkey')) throw error
  }
  const [row] = await context.db.query<WalletRow>(
    sql`select * from countersign.wallets where key = ${accountKey(account)}`,
  )
  if (row?.imported && row.user === userId) {
    await context.db.query(
      sql`update countersign.wallets set imported = null where key = ${accountKey(account)} and "user" = ${userId}`,
    )
    row.imported = null
  }
  if (row?.user !== userId) throw refuse('accountAlreadyLinked')
  const wallet = encodeWallet(row)
  await runAfter(context, caller, { hook: 'afterLink', className: '_User', object: { ...wallet } })
  return wallet
}

async function askBeforeLink(context: Context, caller: Caller, account: ProvenAccount): Promise<void> {
  const handlers = findHooks(context, 'beforeLink', '_User')
  if (handlers)
    await runBefore(handlers, caller, { hook: 'beforeLink', className: '_User', object: { ...plainAccount(account) } })
}

export const linkWalletEndpoint = defineEndpoint('linkWallet', {
  handle: ({ context, caller, input }) => linkWallet(context, caller, input),
})
