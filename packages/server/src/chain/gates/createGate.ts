import { CountersignError, type GateRecord } from '@countersign/protocol'
import { newObjectId } from '../../classes/newObjectId.ts'
import type { Context } from '../../context/Context.ts'
import type { Chains } from '../nodes/Chains.ts'
import { checkContract } from './checkContract.ts'
import { checkGates } from './checkGates.ts'
import { getGate } from './describeGates.ts'
import type { Gate } from './Gate.ts'
import { type GateInput, readGateInput } from './readGateInput.ts'

/** Each one is asked for of every wallet. */
const mostGates = 200

/** Makes a gate on a role and looks at every wallet. Who passes any gate of a role holds it. */
export async function createGate(context: Context, chains: Chains, input: GateInput): Promise<GateRecord> {
  const { db, clock } = context
  const asked = readGateInput(input)
  const chain = chains.get(input.chain)
  const gate: Gate = { ...asked, objectId: newObjectId(), chain: chain.id, role: await findRole(context, input.role) }
  await checkContract(chain, gate)
  const made = await db.query({
    text: `insert into countersign.gates ("objectId", role, chain, kind, token, id, amount, "createdAt", due)
           select $1, $2, $3, $4, $5, $6::numeric, $7::numeric, $8, $9
           where (select count(*) from countersign.gates) < ${mostGates} returning 1`,
    values: [
      gate.objectId,
      gate.role,
      gate.chain,
      gate.kind,
      gate.token,
      gate.id === null ? null : String(gate.id),
      String(gate.amount),
      clock.now(),
      new Date(clock.now().getTime() + context.config.gates.interval * 1000),
    ],
  })
  if (made.length === 0) throw new CountersignError('ExceededQuota', `There may be ${mostGates} gates at most.`)
  // What keeps the node from answering now is noted with the gate, and it is looked at again.
  await checkGates(context, chains, [gate]).catch(() => {})
  return getGate(context, gate.objectId)
}

async function findRole({ db }: Context, name: string): Promise<string> {
  const [role] = await db.query<{ objectId: string }>({
    text: 'select "objectId" from public."_Role" where "name" = $1',
    values: [name],
  })
  if (!role) throw new CountersignError('ObjectNotFound', 'There is no such role. Make it first: POST /roles.')
  return role.objectId
}
