import type { WireFields } from '@countersign/protocol'
import { initialValues } from '../../classes/Change.ts'
import { readNewId } from '../../classes/names.ts'
import type { Context } from '../../context/Context.ts'
import type { RegisteredState, StateStore } from '../../context/Registry.ts'
import { isRefusedValue } from '../../db/databaseErrors.ts'
import { sql } from '../../db/sql.ts'
import { decodeObject, type JsonRow } from '../../objects/decodeObject.ts'
import { columnType, encodeColumns } from '../../objects/encodeColumns.ts'
import { fitNewObject } from '../../objects/fitClass.ts'
import { readObject } from '../../objects/readObject.ts'
import { accessOf } from '../../roles/accessOf.ts'
import { keepBefore } from './undoStates.ts'
import { isRefusal, server } from './writeEvents.ts'

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
  /** Begins an event: what is written from now on was caused at this time. */
  begin(time: Date): void
  /** Refusal of the server that the event met, if any. */
  refusal(): unknown
  /** Takes back what the event did, as long as it was not written. */
  undo(): void
  /** Writes what changed. With a block, how it was before is kept until the block is final. */
  flush(block: number | undefined): Promise<void>
}

/** Reads each document once, and writes it once. */
export function createStateStore(context: Context, name: string, { classes }: RegisteredState): WrittenStore {
  const { db } = context
  const entries = new Map<string, Entry & { className: string; id: string }>()
  let now = new Date(0)
  let refused: unknown
  /** Documents as they were before the event. */
  let before = new Map<string, Entry | undefined>()

  /** Notes what the server itself refuses of an event. A stranger chooses what an event holds: code cannot help it. */
  const guard = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    try {
      return await work()
    } catch (error) {
      if (isRefusal(error) || isRefusedValue(error)) refused = error
      throw error
    }
  }

  const open = async (className: string, id: string) => {
    if (!classes.includes(className)) {
      throw new Error(`The state ${name} writes ${classes.join(', ')}: ${String(className)} is not among its classes.`)
    }
    if (typeof id !== 'string') throw new Error(`The id of a document of ${className} must be a string.`)
    readNewId(true, id)
    const known = entries.get(`${className} ${id}`)
    if (known) return known
    const [found] = await db.query<{ row: JsonRow }>(
      sql`select to_jsonb(t.*) as row from ${sql.table(className)} t where "objectId" = ${id}`,
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

  const change = (entry: Entry & { className: string; id: string }, changes: Partial<Entry>) => {
    const key = `${entry.className} ${entry.id}`
    if (!before.has(key)) before.set(key, { ...entry })
    Object.assign(entry, changes, { isChanged: true })
  }

  return {
    begin(time) {
      now = time
      refused = undefined
      before = new Map()
    },
    refusal: () => refused,
    undo() {
      for (const [key, entry] of before) Object.assign(entries.get(key) ?? {}, entry)
      before = new Map()
    },
    async get(className, id) {
      const { object } = await guard(() => open(className, id))
      return object && structuredClone(object)
    },
    put: (className, id, fields) =>
      guard(async () => {
        const entry = await open(className, id)
        const object = { ...entry.object, ...ownFields(fields) }
        // Here and not when it is written: which event is refused must not depend on how many are handled at once.
        await fitDocument(context, className, object)
        change(entry, { object, changed: now, ...(!entry.object && { made: now }) })
      }),
    async delete(className, id) {
      const entry = await guard(() => open(className, id))
      if (!entry.object) return
      change(entry, { object: undefined, isReplaced: entry.row !== undefined, made: undefined })
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
      throw new Error(
        `The field ${field} has an operation. A state can only write values: read the document, then write the new value.`,
      )
    }
  }
  return own
}

/** Columns of a document, in its class, which is widened by what it lacks. */
async function fitDocument(context: Context, className: string, fields: WireFields) {
  const { changes, acl } = readObject(ownFields(fields))
  const schema = await fitNewObject(context, await accessOf(context, server), className, changes)
  const values = initialValues(changes)
  const { fields: stored, bound } = encodeColumns(schema, values, acl)
  return {
    schema,
    values,
    names: stored.map((name) => sql.id(name)),
    typed: stored.map((name, index) => sql`${bound[index]}::${columnType(schema, name)}`),
  }
}

/** All fields of a document, whether it is there or not. */
async function upsert(
  context: Context,
  className: string,
  id: string,
  fields: WireFields,
  { made, changed }: { made: Date; changed: Date },
): Promise<void> {
  const { schema, values, names, typed } = await fitDocument(context, className, fields)
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
