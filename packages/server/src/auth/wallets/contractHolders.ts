import { refuse } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { decrypt, encrypt } from '../../keys/secrets.ts'
import { recordActivity } from '../../users/activity.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { lockUsers } from '../../users/UserRow.ts'
import { accountKey, type Purpose } from '../Account.ts'
import { recoverSigner } from './SignInMessage.ts'
import { type ContractProof, encodeQuestion, innerSignature, type Signed } from './verifyContractSignature.ts'
import type { WalletRow } from './WalletRow.ts'
import { choosePrimary, encodeWallet, refreshAddresses } from './wallets.ts'

// A contract account can change hands: the token that it is bound to is sold, a key pair delegates to somebody else.
// The account of the former holder stays theirs, and the wallet leaves it once the next holder proves it. The holder is
// the same if the same key signed, or if unchanged code still accepts the former holder's signature.

/** Signature of a holder, and the implementation behind the account at that time (EIP-1967). */
export type HolderProof = Signed & { implementation: string | null }

/** A contract account that is linked to a user, or was until lately, as it was last proven. */
export type LinkedContract = {
  key: string
  user: string
  codeHash: string | null
  proof: HolderProof | undefined
  /** It was unlinked, and its holder may bring it back. */
  isSetAside: boolean
}

export function sealProof({ keys }: Pick<Context, 'keys'>, proof: HolderProof): Buffer {
  // With the call that asks the contract for it: gates make that call, and know nothing of signatures.
  return encrypt(keys, 'undeployed proof', JSON.stringify({ ...proof, question: encodeQuestion(proof) }))
}

function openProof({ keys }: Pick<Context, 'keys'>, sealed: Buffer | null): HolderProof | undefined {
  const text = sealed ? decrypt(keys, 'undeployed proof', sealed) : undefined
  return text === undefined ? undefined : { implementation: null, ...(JSON.parse(text) as Signed) }
}

/** Every user who has the account linked or set aside, the linked one first. */
export async function listLinkedContracts(
  context: Context,
  { chainId, address }: { chainId: string; address: string },
): Promise<LinkedContract[]> {
  const key = accountKey({ namespace: 'eip155', kind: 'contract', chainId, address })
  const rows = await context.db.query<Omit<LinkedContract, 'key' | 'proof'> & { proof: Buffer | null }>(sql`
    select "user", code_hash as "codeHash", proof, false as "isSetAside", linked
    from countersign.wallets
    where key = ${key} and not provisional
    union all
    select "user", code_hash, proof, true, linked
    from countersign.unlinked_wallets
    where key = ${key} and not provisional
    order by "isSetAside", linked`)
  return rows.map(({ user, codeHash, proof, isSetAside }) => ({
    ...{ key, user, codeHash, isSetAside },
    proof: openProof(context, proof),
  }))
}

/** Signer of a plain signature; a random address for any other bytes. */
export async function signerOf({ text, signature }: Signed): Promise<string | undefined> {
  const bytes = innerSignature(signature)
  return bytes && recoverSigner(text, bytes)
}

/**
 * Returns true if the same holder proved the account now and last time. Changed code could be made to accept the former
 * holder's signature, so only the same key counts then. `isAccepted`: the account still accepts that signature.
 */
export async function isSameHolder(
  { proof: last, codeHash, isSetAside }: LinkedContract,
  now: ContractProof,
  signed: Signed,
  isAccepted: boolean,
): Promise<boolean> {
  // Linked before proofs were kept.
  if (!last) return !isSetAside && (codeHash === null || codeHash === now.codeHash)
  const signer = await signerOf(signed)
  if (signer !== undefined && signer === (await signerOf(last))) return true
  return codeHash === now.codeHash && last.implementation === now.implementation && isAccepted
}

/** Takes the wallet from the account of its former holder, who is notified. The new holder learns nothing about them. */
export async function endFormerHolder(
  context: Context,
  caller: Caller,
  purpose: Purpose,
  { key, user, isSetAside }: LinkedContract,
): Promise<void> {
  const { db } = context
  // A buyer brings no account of the seller's back.
  if (isSetAside) {
    await db.query(sql`delete from countersign.unlinked_wallets where key = ${key} and "user" = ${user}`)
    return
  }
  // A holder who confirmed the session may continue with a new key.
  if (purpose === 'link' && caller.session?.userId === user) return
  if (purpose === 'reauthenticate') throw refuse('invalidSignature')
  await db.transaction(async () => {
    await lockUsers(context, [user])
    const [wallet] = await db.query<WalletRow>(
      sql`delete from countersign.wallets where key = ${key} and "user" = ${user} returning *`,
    )
    if (!wallet) return
    await choosePrimary(context, user)
    await refreshAddresses(context, user)
    // With the wallet go the roles that it opened.
    db.afterCommit(() => context.roleCache.forgetAll())
    const { objectId, namespace, kind, chain_id: chainId, address } = wallet
    const nobody = { isMaster: false, isLocalApp: false, ipAddress: '' }
    await recordActivity(context, nobody, user, 'unlinkWallet', { objectId, namespace, kind, chainId, address })
    notifyOwner(context, user, (say) => say('walletRemoved', { address: encodeWallet(wallet).address }))
  })
}
