import { CountersignError, type WireFields, type WireValue } from '@countersign/protocol'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { notifyOwner } from '../../users/email/notifyOwner.ts'
import { makeSensitiveChange, requireFreshProof } from '../../users/sensitiveChanges.ts'
import { encodeUser, findUser } from '../../users/UserRow.ts'
import { requireRemainingMethod } from '../signInMethods.ts'
import {
  findIdentities,
  findOwners,
  type IdentityRow,
  openAll,
  openData,
  readProviders,
  removeIdentities,
} from './identities.ts'
import { type GivenIdentity, type ProvenIdentity, proveIdentity } from './runAdapter.ts'
import { keep } from './signInWithProviders.ts'

/** Change of a user's providers by `authData`. Adapters have checked it; nothing is written yet. */
export type ProviderChange = { proven: ProvenIdentity[]; removed: string[]; rows: IdentityRow[] }

/** Has the adapters check what is new in `authData`. What the client sends back as it got it changes nothing. */
export async function readProviderChange(
  context: Context,
  caller: Caller,
  userId: string,
  authData: WireValue | undefined,
): Promise<ProviderChange> {
  const { given, removed: named } = readProviders(context, authData)
  if (given.length === 0 && named.length === 0) return { proven: [], removed: [], rows: [] }
  if (!caller.isMaster && caller.session?.userId !== userId)
    throw new CountersignError('SessionMissing', `Cannot modify user ${userId.slice(0, 64)}.`)
  const rows = await findIdentities(context, userId)
  const removed = named.filter((name) => rows.some(({ provider }) => provider === name))
  const changed = given.filter((one) => !isUnchanged(context, one, rows))
  if (changed.some((each) => !isOwn(each, rows))) await requireFreshProof(context, caller, 'linkIdentity', userId)
  const row = changed.length > 0 ? await findUser(context, userId) : undefined
  const owner = row && { ...encodeUser(context, row), authData: openAll(context, rows) }
  const proven: ProvenIdentity[] = []
  for (const one of changed) {
    const isKnown = rows.some(({ provider }) => provider === one.provider.name)
    proven.push(await proveIdentity(context, caller, one, isKnown ? 'validateUpdate' : 'validateSetUp', owner))
  }
  // After the check: only who has shown an identity learns that it is somebody else's.
  const owners = await findOwners(context, proven)
  if (owners.some((each) => each !== userId))
    throw new CountersignError('AccountAlreadyLinked', 'this auth is already used')
  return { proven, removed, rows }
}

/** The user's own identity again: its proof is one of the account, unless it is one that never opens it alone. */
const isOwn = ({ provider, id }: GivenIdentity, rows: IdentityRow[]) =>
  provider.policy !== 'additional' && rows.some((row) => row.provider === provider.name && row.id === id && row.linked)

function isUnchanged(context: Context, { provider, data }: GivenIdentity, rows: IdentityRow[]): boolean {
  const row = rows.find((each) => each.provider === provider.name)
  if (!row) return false
  const kept = openData(context, row)
  if (provider.policy === 'additional' && Object.keys(data).length === 0) return true
  return Object.entries(data).length > 0 && Object.entries(data).every(([name, value]) => isSame(kept[name], value))
}

const isSame = (one: WireFields[string] | undefined, other: WireValue | undefined) =>
  JSON.stringify(one) === JSON.stringify(other)

/** Writes what was proven. In a transaction. */
export async function linkProviders(
  context: Context,
  caller: Caller,
  userId: string,
  { proven, rows }: ProviderChange,
): Promise<void> {
  for (const one of proven) {
    await makeSensitiveChange(context, caller, 'linkIdentity', userId, () => keep(context, caller, userId, one, rows), {
      isProven: isOwn(one, rows),
    })
  }
}

/**
 * Takes providers off around the rest of the change: what that adds may be the sign-in method that stays, and a new
 * password ends the session that this is checked by.
 */
export async function unlinkProviders<Result>(
  context: Context,
  caller: Caller,
  userId: string,
  { removed }: ProviderChange,
  further: () => Promise<Result>,
): Promise<Result> {
  if (removed.length === 0) return further()
  return requireRemainingMethod(context, caller, 'unlinkIdentity', userId, async () => {
    for (const name of removed) {
      if (await removeIdentities(context, caller, userId, name))
        notifyOwner(context, userId, (say) => say('identityRemoved', { provider: name }))
    }
    context.db.afterCommit(() => context.sessionCache.forgetUser(userId))
    return further()
  })
}
