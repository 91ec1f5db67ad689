import type { Migration } from './migrate.ts'

const name = String.raw`((?:\w+|"[^"]+")(?:\.(?:\w+|"[^"]+"))?)`
const statement = new RegExp(
  String.raw`\b(?:create\s+(?:unlogged\s+)?table\s+(?:if\s+not\s+exists\s+)?${name}\s*\(|drop\s+table\s+(?:if\s+exists\s+)?${name}|alter\s+table\s+${name}\s+rename\s+to\s+(\w+))`,
  'gi',
)

/** Tables, with their schema, that exist after these migrations. Read from their text. */
export function listTables(migrations: readonly Migration[]): string[] {
  const tables = new Set<string>()
  for (const { sql } of migrations)
    for (const [, created, dropped, renamed, to] of sql.matchAll(statement)) {
      if (created !== undefined) tables.add(qualify(created))
      if (dropped !== undefined) tables.delete(qualify(dropped))
      if (renamed === undefined || !tables.delete(qualify(renamed))) continue
      tables.add(qualify(renamed).replace(/[^.]+$/, to ?? ''))
    }
  return [...tables].sort()
}

function qualify(table: string): string {
  const plain = table.replaceAll('"', '')
  return plain.includes('.') ? plain : `public.${plain}`
}
