import { CountersignError, type WireFields } from '@countersign/protocol'
import type { ClassStep } from '../../classes/applySteps.ts'
import type { FieldTypeName } from '../../classes/ClassSchema.ts'
import type { Context } from '../../context/Context.ts'
import { sql } from '../../db/sql.ts'
import { createObject } from '../../objects/createObject.ts'
import { getObject } from '../../objects/getObject.ts'
import { server } from '../events/writeEvents.ts'
import type { Chain } from '../nodes/Chain.ts'

/** Wakes those that follow. */
export const sentChannel = 'countersign_sent'

const longestData = 4_096

const fields: [string, FieldTypeName][] = [
  ['chain', 'Number'],
  ['hash', 'String'],
  ['status', 'String'],
  ['confirmed', 'Boolean'],
  ['isOwn', 'Boolean'],
  ['from', 'String'],
  ['to', 'String'],
  ['value', 'String'],
  ['nonce', 'Number'],
  ['block', 'Number'],
  ['blockHash', 'String'],
  ['gasUsed', 'String'],
  ['fee', 'String'],
  ['contract', 'String'],
  ['data', 'Object'],
]

/**
 * Creates a document of a transaction that the user sent, readable only by the user and writable by nobody, and follows
 * it. A repeat returns the same document.
 */
export async function followTransaction(
  context: Context,
  userId: string,
  chain: Chain,
  input: { hash: string; data?: WireFields | undefined },
): Promise<WireFields> {
  const { db, clock, config } = context
  const className = config.indexer.sentClass
  const hash = input.hash.toLowerCase()
  if (input.data && JSON.stringify(input.data).length > longestData) {
    throw new CountersignError('InvalidValue', `data can have at most ${longestData} characters of JSON.`)
  }
  await openClass(context, className)
  const objectId = await db.transaction(async () => {
    // One at a time for a user, so that many at once do not pass the limit together.
    await db.query(sql`select pg_advisory_xact_lock(hashtext('countersign sent'), hashtext(${userId}))`)
    const [known] = await db.query<{ object_id: string }>(sql`
      select object_id from countersign.sent_transactions
      where "user" = ${userId} and chain = ${chain.id} and hash = ${hash}`)
    if (known) return known.object_id
    const [open] = await db.query<{ count: number }>(
      sql`select count(*) as count from countersign.sent_transactions where "user" = ${userId} and not ended`,
    )
    if ((open?.count ?? 0) >= config.indexer.sentPerUser) {
      throw new CountersignError(
        'RequestLimitExceeded',
        `At most ${config.indexer.sentPerUser} transactions per user are tracked at a time. Wait until one is finalized.`,
      )
    }
    const made = await createObject(context, server, className, {
      chain: chain.id,
      hash,
      status: 'pending',
      confirmed: false,
      user: { __type: 'Pointer', className: '_User', objectId: userId },
      ...(input.data && { data: input.data }),
      ACL: { [userId]: { read: true } },
    })
    const now = sql.param(clock.now())
    await db.query(sql`
      insert into countersign.sent_transactions ("user", chain, hash, class_name, object_id, status, created, seen, due)
      values (${userId}, ${chain.id}, ${hash}, ${className}, ${made.objectId}, 'pending', ${now}, ${now}, ${now})`)
    await db.query(sql`select pg_notify(${sentChannel}, '')`)
    return made.objectId
  })
  return getObject(context, server, className, objectId, {})
}

/** Creates a class that clients can only read: its content comes from the chain. */
async function openClass({ classes }: Context, className: string): Promise<void> {
  if (classes.find(className)) return
  await classes.change(className, (current): ClassStep[] => {
    if (current) return []
    const anyone = { '*': true as const }
    return [
      { kind: 'createClass' },
      ...fields.map(([name, type]): ClassStep => ({ kind: 'addField', name, field: { type } })),
      { kind: 'addField', name: 'user', field: { type: 'Pointer', targetClass: '_User' } },
      { kind: 'addIndex', name: 'hash', index: { fields: new Map([['hash', 1]]), unique: false } },
      {
        kind: 'setPermissions',
        permissions: { find: anyone, get: anyone, count: anyone, create: {}, update: {}, delete: {}, addField: {} },
      },
    ]
  })
}
