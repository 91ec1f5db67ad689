import type { WireFields } from '@countersign/protocol'
import { initialValues } from '../../classes/Change.ts'
import { readNewId } from '../../classes/names.ts'
import type { Context } from '../../context/Context.ts'
import type { RegisteredState, StateStore } from '../../context/Registry.ts'
import { sql } from '../../db/sql.ts'
import { encodeColumns } from '../../objects/createObject.ts'
import { decodeObject, type JsonRow } from '../../objects/decodeObject.ts'
import { fitNewObject } from '../../objects/findClass.ts'
import { readObject } from '../../objects/getObject.ts'
import { accessOf } from '../../roles/accessOf.ts'
import { keepBefore } from './undoStates.ts'
import { server } from './writeEvents.ts'

type Entry = {
  /** As the database has it. */
  row: JsonRow | undefined
  object: WireFields | undefined
  /** Deleted since it was read: what the database has goes first. */
  isReplaced: boolean
  isChanged: boolean
  made: Date | undefined
  changed: Date | undefined
}

type WrittenStore = StateStore & {
  /** What is written from now on was caused at this time. */
  setTime(time: Date): void
  /** Writes what changed. With a block, how it was before is kept until the block is final. */
  flush(block: number | undefined): Promise<void>
}

/** Reads each document once, and writes it once. */
export function createStateStore(context: Context, name: string, { classes }: RegisteredState): WrittenStore {
  const { db } = context
  const entries = new Map<string, Entry & { className: string; id: string }>()
  let now = new Date(0)

  const open = async (className: string, id: string) => {
    if (!classes.includes(className)) {
      throw new Error(`The state ${name} keeps ${classes.join(', ')}: ${String(className)} is not among its classes.`)
    }
    if (typeof id !== 'string') throw new Error(`The id of a document of ${className} must be a text.`)
    readNewId(true, id)
    const known = entries.get(`${className} ${id}`)
    if (known) return known
    const [found] = await db.query<{ row: JsonRow }>(
      sql`select to_jsonb(t) as row from ${sql.table(className)} t where "objectId" = ${id}`,
    )
    const made = {
      className,
      id,
      row: found?.row,
      object: found && decodeObject(context.classes.get(className), found.row),
      isReplaced: false,
      isChanged: false,
      made: undefined,
      changed: undefined,
    }
    entries.set(`${className} ${id}`, made)
    return made
  }

  return {
    setTime(time) {
      now = time
    },
    async get(className, id) {
      const { object } = await open(className, id)
      return object && structuredClone(object)
    },
    async put(className, id, fields) {
      const entry = await open(className, id)
      const own = ownFields(fields)
      if (!entry.object) entry.made = now
      Object.assign(entry, { object: { ...entry.object, ...own }, isChanged: true, changed: now })
    },
    async delete(className, id) {
      const entry = await open(className, id)
      if (!entry.object) return
      Object.assign(entry, { object: undefined, isChanged: true, isReplaced: entry.row !== undefined, made: undefined })
    },
    async flush(block) {
      const changed = [...entries.values()].filter(({ isChanged }) => isChanged)
      entries.clear()
      if (changed.length === 0) return
      if (block !== undefined) await keepBefore(context, name, block, changed)
      for (const className of new Set(changed.map((entry) => entry.className))) {
        const own = changed.filter((entry) => entry.className === className)
        const gone = own.filter(({ isReplaced }) => isReplaced).map(({ id }) => id)
        if (gone.length > 0) await db.query(sql`delete from ${sql.table(className)} where "objectId" = any(${gone})`)
        for (const { id, object, made, changed: at = now } of own) {
          if (object) await upsert(context, className, id, object, { made: made ?? at, changed: at })
        }
        db.reportChange(className)
      }
    },
  }
}

/** Without what the server itself keeps of a document. */
function ownFields(fields: WireFields): WireFields {
  const { objectId: _id, createdAt: _made, updatedAt: _changed, className: _class, __type: _type, ...own } = fields
  for (const [field, value] of Object.entries(own)) {
    if (value !== null && typeof value === 'object' && '__op' in value) {
      throw new Error(`The field ${field} holds an operation. A state writes values: read the document first.`)
    }
  }
  return own
}

/** All fields of a document, whether it is there or not. */
async function upsert(
  context: Context,
  className: string,
  id: string,
  fields: WireFields,
  { made, changed }: { made: Date; changed: Date },
): Promise<void> {
  const { changes, acl } = readObject(ownFields(fields))
  const schema = await fitNewObject(context, await accessOf(context, server), className, changes)
  const values = initialValues(changes)
  const { names, typed } = encodeColumns(schema, values, acl)
  const nulls = [...values].flatMap(([name, value]) => (value === null && schema.fields.has(name) ? [name] : []))
  const over = [
    ...[sql`"updatedAt"`, ...names].map((column) => sql`${column} = excluded.${column}`),
    ...nulls.map((name) => sql`${sql.id(name)} = null`),
    ...([...values.values()].includes(null) ? [] : [sql`"_nulls" = null`]),
  ]
  await context.db.query(sql`
    insert into ${sql.table(className)} (${sql.join([sql`"createdAt", "updatedAt", "objectId"`, ...names])})
    values (${sql.join([sql`${made}::timestamptz, ${changed}::timestamptz, ${id}::text`, ...typed])})
    on conflict ("objectId") do update set ${sql.join(over)}`)
}
