import type { Database } from '../db/Database.ts'
import { sql } from '../db/sql.ts'
import type { Notes } from './notes.ts'
import type { Unit } from './Source.ts'

export type Counts = { read: number; written: number; present: number; refused: number }

export type ImportReport = {
  units: (Counts & { name: string })[]
  notes: { unit: string; sentence: string; count: number; example?: string }[]
  wallets: { linked: number; contested: number; taken: number; foreign: number }
  files: { fetched: number; present: number; missing: number }
  leftOut: string[]
}

type State = { position: string | undefined; isFinished: boolean; counts: Counts }

/** Progress of the unit. A file of another size counts as another file: it is read again, and existing rows stay. */
export async function beginUnit(db: Database, source: string, { name, size }: Unit): Promise<State> {
  const [row] = await db.query<Counts & { position: string | null; finished: Date | null }>(
    sql`
      insert into countersign.imports as known (source, unit, size) values (${source}, ${name}, ${size})
      on conflict (source, unit) do update set size = excluded.size,
        position = case when known.size = excluded.size then known.position end,
        finished = case when known.size = excluded.size then known.finished end,
        read = case when known.size = excluded.size then known.read else 0 end,
        written = case when known.size = excluded.size then known.written else 0 end,
        present = case when known.size = excluded.size then known.present else 0 end,
        refused = case when known.size = excluded.size then known.refused else 0 end
      returning position, finished, read, written, present, refused`,
  )
  const { read = 0, written = 0, present = 0, refused = 0 } = row ?? {}
  return {
    position: row?.position ?? undefined,
    isFinished: row?.finished !== null && row?.finished !== undefined,
    counts: { read, written, present, refused },
  }
}

export async function finishUnit(db: Database, source: string, unit: string): Promise<void> {
  await db.query(sql`update countersign.imports set finished = now() where source = ${source} and unit = ${unit}`)
}

export async function forgetProgress(db: Database, source: string): Promise<void> {
  for (const table of ['imports', 'import_notes', 'import_claims', 'import_files']) {
    await db.query(sql`delete from countersign.${sql.id(table)} where source = ${source}`)
  }
}

export async function saveNotes(db: Database, source: string, unit: string, notes: Notes): Promise<void> {
  const rows = notes.list()
  if (rows.length === 0) return
  await db.query(
    sql`
      insert into countersign.import_notes as known (source, unit, sentence, example, count)
      select ${source}, ${unit}, sentence, example, count
      from json_to_recordset(${JSON.stringify(rows)}::json) as r (sentence text, example text, count bigint)
      on conflict (source, unit, sentence) do update set count = known.count + excluded.count`,
  )
}

export async function listNotes(db: Database, source: string): Promise<ImportReport['notes']> {
  const rows = await db.query<{ unit: string; sentence: string; example: string | null; count: number }>(
    sql`
      select unit, sentence, example, count from countersign.import_notes where source = ${source}
      order by unit, count desc, sentence
      limit 10000`,
  )
  return rows.map(({ example, ...row }) => ({ ...row, ...(example !== null && { example }) }))
}

export function mergeNotes(before: ImportReport['notes'], unit: string, notes: Notes): ImportReport['notes'] {
  const merged = new Map(before.map((note) => [`${note.unit} ${note.sentence}`, note]))
  for (const { sentence, count, example } of notes.list()) {
    const known = merged.get(`${unit} ${sentence}`)
    if (known) known.count += count
    else merged.set(`${unit} ${sentence}`, { unit, sentence, count, ...(example !== undefined && { example }) })
  }
  return [...merged.values()]
}
