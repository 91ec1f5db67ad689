import { CountersignError, refuse, type WireChanges, type WireFields, type WireValue } from '@countersign/protocol'
import { newObjectId } from '../../classes/names.ts'
import type { Caller } from '../../context/Caller.ts'
import type { Context } from '../../context/Context.ts'
import { isUniqueViolation } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { runAfter, runBeforeSignIn } from '../../hooks/runHooks.ts'
import { decide } from '../../permissions/decide.ts'
import { accessOf } from '../../roles/accessOf.ts'
import { restoreLocked } from '../../users/accountDeletion.ts'
import { createUserWithoutName, type SignedInAccount } from '../../users/createUserWithoutName.ts'
import { isEmailAddress } from '../../users/email/readEmail.ts'
import { notifyOfAddition } from '../../users/holders/offerRecovery.ts'
import { underLockout } from '../../users/passwords/lockout.ts'
import { findAdditional } from '../../users/secondFactor.ts'
import { checkDemands, type Proven, requireAdditional } from '../../users/sessions/admit.ts'
import { createSession } from '../../users/sessions/createSession.ts'
import { type SignedUp, signUp } from '../../users/signUp.ts'
import { requireMethod } from '../../users/signUpRules.ts'
import { encodeUser, findUser, lockUsers, type UserRow } from '../../users/UserRow.ts'
import { nameKey } from '../../users/usernames.ts'
import {
  findIdentities,
  findOwners,
  type IdentityRow,
  keepIdentity,
  keyOf,
  openAll,
  readProviders,
  removeIdentities,
  showIdentities,
} from './identities.ts'
import { type GivenIdentity, type ProvenIdentity, proveIdentity } from './runAdapter.ts'

/**
 * Signs in the owner of checked identities, and creates the user if they have none. New identities are added to the
 * account that the others open.
 */
export async function signInWithProviders(
  context: Context,
  guest: Caller,
  given: GivenIdentity[],
  restores: boolean,
  /** Writes what came along into a new account. */
  fillIn?: (userId: string) => Promise<void>,
): Promise<SignedInAccount> {
  requireMethod(context, 'provider')
  if (!given.some(({ provider }) => provider.policy !== 'additional')) {
    throw new CountersignError(
      'UnsupportedService',
      'This authentication method works only in addition to another one.',
    )
  }
  const owners = await findOwners(context, given)
  const [owner] = owners
  // Checked first: whether an identity is somebody's is revealed only to a caller who has proven it.
  if (owner === undefined || owners.length > 1) {
    const proven = await proveAll(context, guest, given, [], undefined)
    if (owners.length > 1) throw refuse('accountAlreadyLinked')
    const made = await signUpWith(context, guest, proven, fillIn)
    if (made) return made
    // Of two first sign-ins at once the other one made the user.
    const [other] = await findOwners(context, given)
    if (other === undefined) throw refuse('accountAlreadyLinked')
    return openAccount(context, guest, other, proven, restores)
  }
  const [rows, row] = await Promise.all([findIdentities(context, owner), findUser(context, owner)])
  const proven = await proveAll(context, guest, given, rows, row)
  return openAccount(context, guest, owner, proven, restores)
}

/** Checks one after another, sorted by name: after a refusal the next is not asked. */
async function proveAll(
  context: Context,
  caller: Caller,
  given: GivenIdentity[],
  rows: IdentityRow[],
  row: UserRow | undefined,
): Promise<ProvenIdentity[]> {
  const owner = row && { ...encodeUser(context, row), authData: openAll(context, rows) }
  const proven: ProvenIdentity[] = []
  for (const one of [...given].sort((a, b) => (a.provider.name < b.provider.name ? -1 : 1))) {
    const isKnown = rows.some(({ provider }) => provider === one.provider.name)
    const prove = () => proveIdentity(context, caller, one, isKnown ? 'validateLogin' : 'validateSetUp', owner)
    // A short code must not be guessed forever by someone who has the other proofs.
    proven.push(
      isKnown && one.provider.policy === 'additional' && row
        ? await counted(context, row.username, prove)
        : await prove(),
    )
  }
  return proven
}

/** Counts failures separately from the password's, whose owner a stranger must not lock out. */
async function counted<Result extends object>(
  context: Context,
  username: string,
  prove: () => Promise<Result>,
): Promise<Result> {
  let refusal: unknown
  const attempt = () =>
    prove().catch((error) => {
      refusal = error
      return undefined
    })
  const result = await underLockout(context, username, attempt, 'additional')
  if (!result) throw refusal
  return result
}

async function openAccount(
  context: Context,
  guest: Caller,
  userId: string,
  proven: ProvenIdentity[],
  restores: boolean,
): Promise<SignedInAccount> {
  const { db } = context
  const rows = await findIdentities(context, userId)
  // Only the account's own identities prove its owner: a stranger can add one of their own.
  const entrances = proven.filter(
    ({ provider, id }) =>
      provider.policy !== 'additional' && rows.some((each) => each.provider === provider.name && each.id === id),
  )
  const entrance = entrances.find(({ provider }) => provider.policy === 'solo') ?? entrances[0]
  if (!entrance) throw refuse('invalidCredentials')
  const { name } = entrance.provider
  // An additional provider set up during this sign-in was not checked against its stored data.
  const first = provenBy(
    entrance,
    proven.filter(({ step }) => step !== 'validateSetUp'),
  )
  await checkDemands(context, userId, first)
  const found = await findUser(context, userId)
  const row = found && (await restoreLocked(context, guest, found, { isWanted: restores, first }))
  if (!row) throw refuse('accountLocked', undefined, { status: 401 })
  await runBeforeSignIn(context, guest, encodeUser(context, row))
  const token = await db.transaction(async () => {
    await lockUsers(context, [userId])
    const still = sql`
      select from countersign.identities where provider = ${name} and id = ${entrance.id} and "user" = ${userId}`
    const session = await createSession(context, guest, userId, { ...first, still })
    for (const one of proven) {
      const isThere = isKept(one, userId, rows)
      if (isThere && one.provider.policy === 'additional' && one.step === 'validateSetUp') continue
      // A further sign-in method is a sensitive change: a remembered browser is no proof for it.
      if (session.isConfirmed || isThere) await keep(context, guest, userId, one, rows)
    }
    return session.token
  })
  const user = { ...encodeUser(context, row), objectId: userId, sessionToken: token }
  await runAfter(context, guest, { hook: 'afterSignIn', className: '_User', object: user })
  return { user: { ...user, ...(await answerOf(context, guest, userId, proven)) }, isNew: false }
}

function provenBy({ provider }: ProvenIdentity, proven: ProvenIdentity[]): Proven {
  return {
    by: provider.policy === 'solo' ? 'soloIdentity' : 'identity',
    createdWith: { action: 'login', authProvider: provider.name },
    additional: namesOfAdditional(proven),
  }
}

const namesOfAdditional = (proven: ProvenIdentity[]) =>
  proven.filter(({ provider }) => provider.policy === 'additional').map(({ provider }) => provider.name)

const isKept = (one: ProvenIdentity, userId: string, rows: IdentityRow[]) =>
  rows.some(({ provider, id }) => provider === one.provider.name && id === keyOf(one, userId))

/** Keeps one of several identities; another id at the same provider takes the place of the former. */
export async function keep(
  context: Context,
  caller: Caller,
  userId: string,
  one: ProvenIdentity,
  rows: IdentityRow[],
): Promise<void> {
  const { name } = one.provider
  const before = rows.find((row) => row.provider === name && row.id === keyOf(one, userId))
  if (!before && rows.some((row) => row.provider === name)) await removeIdentities(context, caller, userId, name)
  if ((await keepIdentity(context, caller, userId, one, before)) === 'linked')
    await notifyOfAddition(context, caller, userId, (say) => say('identityAdded', { provider: name }))
}

async function signUpWith(
  context: Context,
  guest: Caller,
  proven: ProvenIdentity[],
  fillIn?: (userId: string) => Promise<void>,
): Promise<SignedInAccount | undefined> {
  const { db, clock } = context
  decide(context.classes.get('_User'), await accessOf(context, guest), 'create')
  const entrance = proven.find(({ provider }) => provider.policy !== 'additional')
  if (!entrance) throw refuse('invalidCredentials')
  const email = await chooseAddress(context, entrance)
  const objectId = newObjectId()
  const made = await db
    .transaction(async () => {
      await createUserWithoutName(
        context,
        guest,
        async (username) => {
          const now = clock.now()
          await db.query(sql`
            insert into "_User" ("objectId", "createdAt", "updatedAt", "_rperm", "_wperm", username, "_username_key",
              email, "_email_key", "emailVerified")
            values (${objectId}, ${now}, ${now}, ${[objectId]}, ${[objectId]}, ${username}, ${nameKey(username)},
              ${email ?? null}, ${email === undefined ? null : nameKey(email)}, ${email === undefined ? null : true})`)
          db.reportChange('_User')
          for (const one of proven) await keepIdentity(context, guest, objectId, one, undefined)
          return objectId
        },
        email === undefined ? {} : { email, emailVerified: true },
      )
      return 'made' as const
    })
    .catch((error) => {
      if (error instanceof CountersignError && error.reason === 'accountAlreadyLinked') return undefined
      // Somebody took the address in between: the next attempt sees who.
      if (isUniqueViolation(error, '_User_email')) return 'again' as const
      throw error
    })
  if (made === 'again') return signUpWith(context, guest, proven, fillIn)
  if (!made) return undefined
  await fillIn?.(objectId)
  // The user is created first, and then has to meet the operator's demands, as at any other sign-in.
  const { token } = await createSession(context, guest, objectId, provenBy(entrance, proven))
  const row = await findUser(context, objectId)
  if (!row) return undefined
  const user = { ...encodeUser(context, row), objectId, sessionToken: token }
  return { user: { ...user, ...(await answerOf(context, guest, objectId, proven)) }, isNew: true }
}

/**
 * Address of a new account from a provider: a verified one, if the operator trusts the provider. It never opens or
 * links an account that has verified the same address, which may belong to somebody else by now: its owner signs in
 * first and links the provider there. An account that only claims the address blocks nobody: the new one is created
 * without it.
 */
async function chooseAddress({ db }: Context, { provider, kept }: ProvenIdentity): Promise<string | undefined> {
  const { client } = provider
  if (!client?.trustsEmail || kept?.emailVerified !== true || typeof kept.email !== 'string') return undefined
  if (!isEmailAddress(kept.email)) return undefined
  const key = nameKey(kept.email)
  const holders = await db.query<{ verified: boolean }>(sql`
    select "_email_key" = ${key} and "emailVerified" is true as verified
    from "_User"
    where "_email_key" = ${key} or "_username_key" = ${key}`)
  if (holders.some(({ verified }) => verified)) throw refuse('signInToLink', { provider: client.label })
  return holders.length === 0 ? kept.email : undefined
}

/** Identities in the response: those of this request as sent, plus the data of their adapters. */
export async function answerOf(
  context: Context,
  caller: Caller,
  userId: string,
  proven: ProvenIdentity[],
): Promise<{ authData: WireFields; authDataResponse?: WireFields }> {
  const authData = await showIdentities(context, caller, await findIdentities(context, userId))
  const responses: [string, WireValue][] = []
  for (const { provider, data, response } of proven) {
    if (!provider.adapter.afterFind && Object.hasOwn(authData, provider.name)) authData[provider.name] = data
    if (response !== undefined) responses.push([provider.name, response])
  }
  return { authData, ...(responses.length > 0 && { authDataResponse: Object.fromEntries(responses) }) }
}

/**
 * For a user who has just proven a password or another method that is not enough alone: requires the additional
 * providers, has them checked, and stores their changes. Returns the names of the proven ones.
 */
export async function proveAdditional(
  context: Context,
  guest: Caller,
  user: { objectId: string; username: string },
  given: GivenIdentity[],
): Promise<string[]> {
  const asked = await findAdditional(context, user.objectId)
  if (asked.length === 0) return []
  const rows = await findIdentities(context, user.objectId)
  const wanted = given.filter(({ provider }) => asked.includes(provider.name))
  const row = await findUser(context, user.objectId)
  const proven = await proveAll(context, guest, wanted, rows, row)
  const shown = namesOfAdditional(proven)
  await requireAdditional(context, user.objectId, shown)
  await context.db.transaction(async () => {
    for (const one of proven) await keep(context, guest, user.objectId, one, rows)
  })
  return shown
}

/** Signs up by name and password, with additional providers set up at once. */
export async function signUpWithAdditional(context: Context, caller: Caller, input: WireChanges): Promise<SignedUp> {
  const { given } = readProviders(context, input.authData as WireValue | undefined)
  if (given.length === 0) return signUp(context, caller, input)
  const proven = await proveAll(context, caller, given, [], undefined)
  const { authData: _proven, ...fields } = input
  let isNew = false
  const made = await signUp(context, caller, fields, {
    additional: namesOfAdditional(proven),
    async keep(userId) {
      isNew = true
      await context.db.transaction(async () => {
        for (const one of proven) await keep(context, caller, userId, one, [])
      })
    },
  })
  return isNew ? { ...made, ...(await answerOf(context, caller, made.objectId, proven)) } : made
}
