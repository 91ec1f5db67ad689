import { longest, type WireValue } from '@countersign/protocol'
import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import { readBase58 } from '../encoding/base58.ts'
import { hashToken } from '../keys/secrets.ts'
import { readEmail } from '../users/email/readEmail.ts'
import { isKeptHash } from '../users/passwords/hashPassword.ts'
import { withSelf } from '../users/signUp.ts'
import { nameKey, readUsername } from '../users/usernames.ts'
import type { ImportedRow } from './encodeRow.ts'
import type { ImportedObject, Note } from './readDocument.ts'

/** The columns of `_User` besides those of its fields. */
export const userColumns: [string, string][] = [
  ['username', 'text'],
  ['email', 'text'],
  ['emailVerified', 'boolean'],
  ['_username_key', 'text'],
  ['_email_key', 'text'],
  ['_password_hash', 'text'],
  ['_anonymous', 'bytea'],
]

/** A wallet that the dump gives to a user. */
export type WalletClaim = {
  key: string
  user: string
  namespace: 'eip155' | 'solana'
  address: string
  strength: 1 | 2 | 3
  linked: string
}

export type Identity = { provider: string; id: string; user: string }

export type ImportedUser = { row: ImportedRow; claims: WalletClaim[]; identities: Identity[] }

type Tree = { [key: string]: unknown }

/** Trust in data of a dump: a verified signature, a row of its own, or a field that anybody could write. */
const strengths = { authData: 3, addressRow: 2, field: 1 } as const

/** Adds to the row of a user what its account is made of. */
export function readUser(row: ImportedRow, object: ImportedObject, note: Note): ImportedUser {
  const { objectId, own } = object
  const username = readName(objectId, own.get('username'), note)
  const email = readAddress(objectId, own.get('email'), note)
  // No list would let anybody write the account, and an empty one would lock its owner out.
  row._rperm = object.acl._rperm === null ? ['*', objectId] : withSelf(object.acl._rperm, objectId)
  row._wperm = withSelf(object.acl._wperm ?? [], objectId)
  row.username = username
  row._username_key = nameKey(username)
  row.email = email
  row._email_key = email === null ? null : nameKey(email)
  row.emailVerified = email === null ? null : own.get('emailVerified') === true
  row._password_hash = readHash(objectId, own, note)
  const authData = readProviders(own)
  const anonymous = authData.get('anonymous')
  row._anonymous =
    typeof anonymous === 'string' && anonymous.length >= 16 && anonymous.length <= 200
      ? `\\x${hashToken(anonymous).toString('hex')}`
      : null
  return { row, claims: claimsOf(object, authData, note), identities: identitiesOf(objectId, authData) }
}

function readName(objectId: string, value: unknown, note: Note): string {
  try {
    return readUsername(value as WireValue)
  } catch {
    note('Some usernames are invalid; they were replaced with one based on the user ID.', objectId)
    return `user-${objectId}`.slice(0, longest.username)
  }
}

function readAddress(objectId: string, value: unknown, note: Note): string | null {
  if (value === undefined || value === null || value === '') return null
  try {
    return readEmail(value as WireValue)
  } catch {
    note('Some email addresses are invalid and were not imported.', objectId)
    return null
  }
}

function readHash(objectId: string, own: ImportedObject['own'], note: Note): string | null {
  const hash = own.get('_hashed_password') ?? own.get('bcryptPassword') ?? own.get('hashedPassword')
  if (hash === undefined || hash === null) return null
  if (typeof hash === 'string' && isKeptHash(hash)) return hash
  note('Some password hashes have an unknown format. These users must reset their password.', objectId)
  return null
}

/** Ids by provider: from `authData`, and from the columns that MongoDB has for them. */
function readProviders(own: ImportedObject['own']): Map<string, string> {
  const found = new Map<string, string>()
  const add = (provider: string, value: unknown) => {
    const id = isTree(value) ? value.id : undefined
    if (typeof id === 'string' && id !== '' && id.length <= 500 && /^\w{1,100}$/.test(provider)) found.set(provider, id)
  }
  for (const [key, value] of own) if (key.startsWith('_auth_data_')) add(key.slice('_auth_data_'.length), value)
  const authData = own.get('authData')
  if (isTree(authData)) for (const [provider, value] of Object.entries(authData)) add(provider, value)
  return found
}

function claimsOf({ objectId, createdAt, own }: ImportedObject, authData: Map<string, string>, note: Note) {
  const claims = new Map<string, WalletClaim>()
  const add = (namespace: WalletClaim['namespace'], value: unknown, strength: WalletClaim['strength']) => {
    if (value === undefined || value === null) return
    const claim = claimOf(namespace, value, objectId, strength, createdAt)
    if (!claim) note('Some wallet addresses are invalid and were not imported.', objectId)
    else if (!claims.has(claim.key)) claims.set(claim.key, claim)
  }
  const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, 1_000) : [])
  add('eip155', authData.get('moralisEth'), strengths.authData)
  add('solana', authData.get('moralisSol'), strengths.authData)
  for (const value of [own.get('ethAddress'), ...listOf(own.get('accounts'))]) add('eip155', value, strengths.field)
  for (const value of [own.get('solAddress'), ...listOf(own.get('solAccounts'))]) add('solana', value, strengths.field)
  return [...claims.values()]
}

/** A row of `_EthAddress` or `_SolAddress`: its id is the address. */
export function readAddressRow(namespace: WalletClaim['namespace'], object: ImportedObject): WalletClaim | undefined {
  const user = object.fields.find(([name]) => name === 'user')?.[1]
  const id: unknown = typeof user === 'object' && user !== null ? Reflect.get(user, 'objectId') : undefined
  if (typeof id !== 'string') return undefined
  return claimOf(namespace, object.objectId, id, strengths.addressRow, object.createdAt)
}

function claimOf(
  namespace: WalletClaim['namespace'],
  value: unknown,
  user: string,
  strength: WalletClaim['strength'],
  linked: string,
): WalletClaim | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined
  const isEvm = namespace === 'eip155'
  if (isEvm ? !/^0x[0-9a-fA-F]{40}$/.test(value) : readBase58(value)?.length !== 32) return undefined
  const address = isEvm ? value.toLowerCase() : value
  return { key: `${namespace}:${address}`, user, namespace, address, strength, linked }
}

function identitiesOf(user: string, authData: Map<string, string>): Identity[] {
  return [...authData]
    .filter(([provider]) => !['moralisEth', 'moralisSol', 'anonymous'].includes(provider))
    .map(([provider, id]) => ({ provider, id, user }))
}

/**
 * Names and addresses are one person's without regard to case and look-alikes, which the older server did not hold
 * apart: who comes first keeps them. The others keep their account, under another name or without the address.
 */
export async function settleNames(db: Database, rows: ImportedRow[], note: Note): Promise<void> {
  const listOf = (name: string) => rows.map((row) => row[name]).filter((value) => typeof value === 'string')
  const present = await db.query<{
    objectId: string
    _username_key: string
    _email_key: string | null
    _anonymous: string | null
  }>(sql`
    select "objectId", "_username_key", "_email_key", '\\x' || encode("_anonymous", 'hex') as "_anonymous"
    from "_User"
    where "_username_key" = any(${listOf('_username_key')}::text[])
      or "_email_key" = any(${listOf('_email_key')}::text[])
      or "_anonymous" = any(${listOf('_anonymous')}::bytea[])`)
  const [names, addresses, guests] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()]
  for (const user of present) {
    names.set(user._username_key, user.objectId)
    if (user._email_key !== null) addresses.set(user._email_key, user.objectId)
    if (user._anonymous !== null) guests.set(user._anonymous, user.objectId)
  }
  const isTaken = (taken: Map<string, string>, row: ImportedRow, name: string) => {
    const holder = taken.get(row[name] as string)
    if (holder === undefined && row[name] !== null) taken.set(row[name] as string, row.objectId)
    return holder !== undefined && holder !== row.objectId
  }
  for (const row of rows) {
    if (isTaken(names, row, '_username_key')) {
      const room = longest.username - row.objectId.length - 1
      const username = room < 1 ? row.objectId : `${String(row.username).slice(0, room)}-${row.objectId}`
      note('Some usernames differ only by case or look. The user ID was added to the later ones.', username)
      row.username = username
      row._username_key = nameKey(username)
      names.set(row._username_key as string, row.objectId)
    }
    if (isTaken(addresses, row, '_email_key')) {
      note('Some email addresses belong to an earlier user. Later users have none.', row.objectId)
      row.email = null
      row._email_key = null
      row.emailVerified = null
    }
    if (isTaken(guests, row, '_anonymous')) row._anonymous = null
  }
}

function isTree(value: unknown): value is Tree {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}
