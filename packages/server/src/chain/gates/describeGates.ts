import { CountersignError, type GateRecord } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'

type Row = {
  objectId: string
  role: string
  chain: number
  kind: string
  token: string | null
  tokenId: string | null
  amount: string
  createdAt: Date
  checkedAt: Date | null
  block: number | null
  error: string | null
  members: number
}

const columns = `g."objectId", r."name" as role, g.chain, g.kind, g.token, g.id::text as "tokenId",
  g.amount::text as amount, g."createdAt", g.checked as "checkedAt", g.block, g.error,
  (select count(distinct w."user")::integer from countersign.gate_holders h
    join countersign.wallets w on w.key = h.wallet where h.gate = g."objectId" and h.held) as members`

/** The gates, or those of a role. */
export async function listGates({ db }: Context, role?: string): Promise<{ results: GateRecord[] }> {
  const rows = await db.query<Row>({
    text: `select ${columns} from countersign.gates g join public."_Role" r on r."objectId" = g.role
           where $1::text is null or r."name" = $1 order by g."createdAt", g."objectId"`,
    values: [role ?? null],
  })
  return { results: rows.map(encode) }
}

export async function getGate({ db }: Context, objectId: string): Promise<GateRecord> {
  const [row] = await db.query<Row>({
    text: `select ${columns} from countersign.gates g join public."_Role" r on r."objectId" = g.role
           where g."objectId" = $1`,
    values: [objectId],
  })
  if (!row) throw noGate()
  return encode(row)
}

export function noGate(): CountersignError {
  return new CountersignError('ObjectNotFound', 'There is no such gate.')
}

function encode({ createdAt, checkedAt, ...row }: Row): GateRecord {
  const given = Object.entries(row).filter(([, value]) => value !== null)
  return {
    ...(Object.fromEntries(given) as Omit<GateRecord, 'createdAt'>),
    createdAt: createdAt.toISOString(),
    ...(checkedAt && { checkedAt: checkedAt.toISOString() }),
  }
}
