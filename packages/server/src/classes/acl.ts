import { type Acl, CountersignError, type WireValue } from '@countersign/protocol'

/** An access list as its two columns. Both null: everyone may read and write. */
export type StoredAcl = { _rperm: string[] | null; _wperm: string[] | null }

/**
 * First entry of a list that the server made from the wallets of an event. Nobody matches it: it marks that the list is
 * not shown, so that an event does not reveal the users of other wallets.
 */
export const walletReaders = '*wallets'

/** Each entry is one of an index, too. */
const mostEntries = 10_000

/**
 * Access list of a write; `undefined` if there is none. Omitting something makes nothing public: null changes nothing,
 * a Delete leaves the empty list. Everyone is `*`.
 */
export function readAcl(value: WireValue | undefined): WireValue | undefined {
  if (value === undefined || value === null) return undefined
  return typeof value === 'object' && Reflect.get(value, '__op') === 'Delete' ? {} : value
}

/** Checks an access list from a client and puts it into columns. */
export function encodeAcl(value: WireValue): { _rperm: string[]; _wperm: string[] } {
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new CountersignError('InvalidAcl', 'An ACL must be an object.')
  const stored: ReturnType<typeof encodeAcl> = { _rperm: [], _wperm: [] }
  const entries = Object.entries(value)
  if (entries.length > mostEntries) {
    throw new CountersignError('InvalidAcl', `An ACL can have at most ${mostEntries} entries. Use a role instead.`)
  }
  for (const [entity, rights] of entries) {
    if (entity === '*unresolved')
      throw new CountersignError('InvalidAcl', 'The ACL contains a user that is not saved yet. Save the user first.')
    if (entity === walletReaders)
      throw new CountersignError('InvalidAcl', `The ACL entry ${entity} is reserved for the server.`)
    if (rights === null || typeof rights !== 'object' || Array.isArray(rights)) {
      throw new CountersignError('InvalidAcl', `The ACL entry of ${entity} must be an object with read and write.`)
    }
    for (const [right, allowed] of Object.entries(rights)) {
      if ((right !== 'read' && right !== 'write') || typeof allowed !== 'boolean') {
        throw new CountersignError(
          'InvalidAcl',
          `The ACL entry of ${entity} can contain only read and write, each true or false.`,
        )
      }
      if (allowed) (right === 'read' ? stored._rperm : stored._wperm).push(entity)
    }
  }
  return stored
}

/** In the default access list of a class: the user who creates the object. */
export const currentUser = 'currentUser'

/** The access list of a new object that comes without one. Both null where the default is open to everyone. */
export function defaultAcl(acl: Acl | undefined, userId: string | undefined): StoredAcl | undefined {
  if (acl === undefined) return undefined
  const stored = encodeAcl(acl)
  const named = (entities: string[]) => [
    ...new Set(entities.flatMap((entity) => (entity === currentUser ? (userId ?? []) : entity))),
  ]
  const [_rperm, _wperm] = [named(stored._rperm), named(stored._wperm)]
  return _rperm.includes('*') && _wperm.includes('*') ? undefined : { _rperm, _wperm }
}

/** The access list as it is shown; `undefined` where the object has none. */
export function decodeAcl(stored: StoredAcl): Acl | undefined {
  return stored._rperm?.[0] === walletReaders ? {} : decodeWholeAcl(stored)
}

/** The access list as callers are judged by it. For the server and its operators. */
export function decodeWholeAcl({ _rperm, _wperm }: StoredAcl): Acl | undefined {
  if (!_rperm && !_wperm) return undefined
  const acl: Acl = {}
  for (const entity of _rperm ?? []) acl[entity] = { read: true }
  for (const entity of _wperm ?? []) acl[entity] = { ...acl[entity], write: true }
  return acl
}
