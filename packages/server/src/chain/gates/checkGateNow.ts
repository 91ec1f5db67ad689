import type { GateRecord } from '@countersign/protocol'
import type { Context } from '../../context/Context.ts'
import type { Chains } from '../nodes/Chains.ts'
import { checkGates } from './checkGates.ts'
import { getGate, noGate } from './describeGates.ts'
import { type GateRow, gateColumns, readGate } from './Gate.ts'

/** Looks at every wallet for one gate now. */
export async function checkGateNow(context: Context, chains: Chains, objectId: string): Promise<GateRecord> {
  const [row] = await context.db.query<GateRow>({
    text: `select ${gateColumns} from countersign.gates g where g."objectId" = $1`,
    values: [objectId],
  })
  if (!row) throw noGate()
  await checkGates(context, chains, [readGate(row)], { atHead: true })
  return getGate(context, objectId)
}
