/** Storage of a power: rows of a server table that name the user, or columns of the user's row. */
export type Place =
  | {
      table: string
      /** Column that has when the power was given. Without it, a power of unknown age counts as new. */
      given?: string
      /** Selects rows of the table; all if absent. */
      purpose?: string
      /** Columns that get their default, where one row has several powers. */
      resets?: readonly string[]
    }
  | { columns: readonly string[] }

/**
 * Every power over an account: everything that opens it, helps to, or undoes a change of it. The keys are the columns
 * of the tables in docs/security.md. `holders.test.ts` fails if a table of the database names a user and is neither
 * here nor in `tablesWithoutPower`.
 */
export const powers = {
  'this session': [{ table: '_Session' }],
  'other sessions': [{ table: '_Session' }],
  password: [{ columns: ['_password_hash'] }],
  passkeys: [{ table: 'passkeys', given: 'created' }],
  wallets: [{ table: 'wallets', given: 'linked' }],
  'guest id': [{ columns: ['_anonymous'] }],
  identities: [{ table: 'identities', given: 'linked' }],
  'recovery codes': [{ table: 'recovery_codes', given: 'created' }],
  'mailed sign-in code': [{ table: 'email_codes' }],
  'method set aside': [
    { table: 'unlinked_wallets', given: 'linked' },
    { table: 'removed_passkeys', given: 'created' },
    { table: 'unlinked_identities', given: 'linked' },
    { table: 'removed_factors', given: 'created' },
    { table: 'replaced_passwords' },
  ],
  'pending challenge': [{ table: 'challenges' }],
  'half-registered passkey': [{ table: 'challenges' }],
  'verification mail': [{ table: 'tokens', purpose: 'verify' }],
  'reset mail': [{ table: 'tokens', purpose: 'reset' }],
  'undo mail': [{ table: 'email_changes', given: 'changed' }],
  'recovery mail': [{ table: 'added_methods', given: 'added' }],
  // An app that was added lately takes no passkey along that was asked for before, nor the other way round.
  'second factor': [
    { table: 'second_factors', given: 'confirmed', resets: ['secret', 'confirmed', 'last_step'] },
    { table: 'second_factors', given: 'created', resets: ['by_passkey'] },
  ],
  'remembered browser': [{ table: 'remembered_devices', given: 'created' }],
  // Tokens of a person, made by the person or by consent to a client; the consent ends with them.
  'access tokens': [
    { table: 'access_tokens', given: 'created' },
    { table: 'oidc_records', given: 'created' },
  ],
  // Silent sign-ins help a thief: alerts are on again for the next holder.
  'alerts turned off': [{ table: 'account_settings' }],
} as const satisfies Record<string, readonly Place[]>

export type Power = keyof typeof powers

/** Tables that name a user and give nobody power over the account, with the reason. */
export const tablesWithoutPower: Record<string, string> = {
  activity: 'a record of what happened',
  failed_sign_ins: 'a record of refused sign-ins',
  devices: 'pushes to a device follow the session that registered it, and end with it',
  known_browsers: 'browsers whose requests are counted apart; they open nothing',
  operators: 'rights over the installation; an account that has them is guarded (guards.ts)',
  disabled_users: 'the lock of an operator, lifted by an operator alone',
  deletions: 'restored by a sign-in, which needs one of the powers',
  merge_links: 'undo of a merge, which returns the other account to its owner',
  merges: 'undone by a session of the account that stays, or by a link that returns the other account as it was',
  reserved_names: 'keeps a name for an account that an undo brings back',
  gate_queue: 'users whose wallets are looked at soon',
  sent_transactions: 'what an account sent to a chain',
  import_claims: 'which wallets a dump names; who gets one is decided by the import',
}

/**
 * Effect of a change of holder on a power.
 * - `ends`: the power is gone.
 * - `stays`: the power is left as it is.
 * - `recent ends`: it ends if it was given in the window of the change; an older one stays.
 * - `rests`: it opens nothing until the account is restored.
 * - `moves`: it opens the account that this one was merged into.
 * - `stops it`: the change is refused while the account has this power.
 */
export type Fate = 'ends' | 'stays' | 'recent ends' | 'rests' | 'moves' | 'stops it'

type Row = Partial<Record<Power, Exclude<Fate, 'ends'>>>

/** For changes that leave the account to its holder: everything stays but these. */
const allBut = (...ending: Power[]): Row =>
  Object.fromEntries(Object.keys(powers).flatMap((name) => (ending.includes(name as Power) ? [] : [[name, 'stays']])))

/** Follows from ending a session elsewhere: what it began, and the browser that may be in other hands. */
export const begunElsewhere = [
  'other sessions',
  'pending challenge',
  'half-registered passkey',
  'remembered browser',
] as const

const mailsToAddress = ['mailed sign-in code', 'verification mail', 'reset mail'] as const

const byOldPassword = [
  ...begunElsewhere,
  'this session',
  'password',
  'guest id',
  'mailed sign-in code',
  'reset mail',
  'access tokens',
] as const

/** Powers added in the window of an undo end; older ones stay. */
const recentEnds = {
  passkeys: 'recent ends',
  wallets: 'recent ends',
  identities: 'recent ends',
  'recovery codes': 'recent ends',
  'method set aside': 'recent ends',
  'second factor': 'recent ends',
} as const

/** The reader of the mailbox becomes the holder, unless a guard says that the account is somebody else's (guards.ts). */
const takeover = { 'undo mail': 'stops it', 'second factor': 'stops it' } as const

/** Powers that open an account, kept while it is disabled. */
const resting = {
  password: 'rests',
  passkeys: 'rests',
  wallets: 'rests',
  'guest id': 'rests',
  identities: 'rests',
  'recovery codes': 'rests',
  'mailed sign-in code': 'rests',
  'method set aside': 'rests',
  'second factor': 'rests',
  'alerts turned off': 'rests',
} as const

/** An account that comes back to the one who let it go: as it was, without sessions and pending mails. */
const asItWas = {
  password: 'stays',
  passkeys: 'stays',
  wallets: 'stays',
  'guest id': 'stays',
  identities: 'stays',
  'recovery codes': 'stays',
  'mailed sign-in code': 'stays',
  'method set aside': 'stays',
  'undo mail': 'stays',
  'recovery mail': 'stays',
  'second factor': 'stays',
  'alerts turned off': 'stays',
} as const

/**
 * Every change of holder, and of what a holder has, with the fate of each power. Deny by default: what a row does not
 * name ends, so a power that is added later survives no change of holder unless it is named here. `changeHolder`
 * carries a row out, `whatSurvives.test.ts` tries each cell, and the tables of docs/security.md are made from it.
 */
export const changesOfHolder = {
  'reset by mail, address verified': {
    passkeys: 'stays',
    wallets: 'stays',
    identities: 'stays',
    'method set aside': 'stays',
    'undo mail': 'stays',
    'recovery mail': 'stays',
    'second factor': 'stays',
    'alerts turned off': 'stays',
  },
  'reset by mail, address not verified by the holder': takeover,
  'mailed code, address not verified by the holder': takeover,
  'address given to its reader': allBut(...mailsToAddress),
  'password change': allBut(...byOldPassword),
  'password set by PUT': allBut(...byOldPassword),
  'email change': allBut(...mailsToAddress),
  'email removal': allBut(...mailsToAddress),
  'email change undone': recentEnds,
  // By the link of a recovery mail, with a proof that the account had before what was added.
  'added method undone': recentEnds,
  'wallet unlinked': allBut('wallets'),
  'passkey removed': allBut('passkeys'),
  'identity unlinked': allBut('identities'),
  // An address that could be undone to is as new as the thief: with an older one the wallet does not return.
  'unlinked wallet returns by its signature': recentEnds,
  'merge, account that stays': allBut(),
  'merge, account that goes': {
    ...resting,
    passkeys: 'moves',
    wallets: 'moves',
    identities: 'moves',
    'undo mail': 'stays',
    'recovery mail': 'rests',
  },
  // A token made while both were one may be the other owner's.
  'merge undone, account that stays': allBut(...begunElsewhere, 'access tokens'),
  // The link that was mailed to the owner of the account that went, who has no session of either account.
  'merge undone by its link, account that returns': { ...recentEnds, 'undo mail': 'stays' },
  'merge undone, account that returns': asItWas,
  // A dump gives nothing to an account that was there.
  'import that names the account': allBut(),
  'contract account has another holder': allBut('wallets'),
  'deletion taken back': asItWas,
  'verification by support': allBut(),
  '“this wasn’t me”': allBut(...begunElsewhere),
  'other sessions signed out': allBut(...begunElsewhere, 'access tokens'),
  'sign-in by recovery code': allBut(),
  'new recovery codes': allBut('recovery codes'),
  'lock by an operator': { ...resting, 'undo mail': 'stays', 'recovery mail': 'stays' },
  // Both mails are for an owner whose address or factor a thief changed before deleting the account.
  deletion: { ...resting, 'undo mail': 'stays', 'recovery mail': 'stays' },
} as const satisfies Record<string, Row>

export type ChangeOfHolder = keyof typeof changesOfHolder

export function fateOf(change: ChangeOfHolder, power: Power): Fate {
  const row: Row = changesOfHolder[change]
  return row[power] ?? 'ends'
}
