import type { WireFields, WireValue } from '@countersign/protocol'
import type { Caller } from '../context/Caller.ts'
import type { Context } from '../context/Context.ts'
import { fillFileUrlsIn } from '../context/fillFileUrls.ts'

type Row = { name: string; value: WireValue; master_only: boolean }

/** The settings that the operator keeps for the application's clients; those for the master key only with it. */
export async function getParams(
  context: Context,
  { isMaster }: Caller,
): Promise<{ params: WireFields; masterKeyOnly?: { [name: string]: boolean } }> {
  const rows = await context.db.query<Row>({
    name: 'get-params',
    text: 'select name, value, master_only from countersign.config where $1 or not master_only order by name',
    values: [isMaster],
  })
  const params = Object.fromEntries(rows.map(({ name, value }) => [name, value]))
  fillFileUrlsIn(context, params)
  if (!isMaster) return { params }
  const masterKeyOnly = Object.fromEntries(rows.map((row) => [row.name, row.master_only]))
  return { params, masterKeyOnly }
}
