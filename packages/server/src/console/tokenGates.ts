import type { EndpointTypes } from '@countersign/protocol'
import { readHolding } from '../chain/tokenGates/tokenGates.ts'
import type { Context } from '../context/Context.ts'
import { sql } from '../db/sql.ts'
import { defineEndpoint } from '../endpoint/defineEndpoint.ts'

type Row = { key: string; address: string; amount: string; seen: Date; objectId: string; username: string | null }

/** The wallets that pass a gate, with what they held when they were last looked at. */
async function listTokenGateHolders(
  { db }: Context,
  gate: string,
  { after, limit = '50' }: Omit<EndpointTypes['listTokenGateHolders']['input'], 'objectId'>,
): Promise<EndpointTypes['listTokenGateHolders']['output']> {
  const most = Number(limit)
  const rows = await db.query<Row>(sql`
    select h.wallet as key, w.address, h.amount::text as amount, h.seen, w."user" as "objectId",
      u.username
    from countersign.gate_holders h
    join countersign.wallets w on w.key = h.wallet
      left join "_User" u on u."objectId" = w."user"
    where h.gate = ${gate} and h.held and h.wallet > ${after ?? ''}
    order by h.wallet limit ${most + 1}`)
  const page = rows.slice(0, most)
  return {
    results: page.map(({ address, amount, seen, username, objectId }) => ({
      address,
      amount,
      seenAt: seen.toISOString(),
      user: { objectId, ...(username !== null && { username }) },
    })),
    ...(rows.length > most && { next: page.at(-1)?.key ?? '' }),
  }
}

export const listTokenGateHoldersEndpoint = defineEndpoint('listTokenGateHolders', {
  handle: ({ context, params, input }) => listTokenGateHolders(context, params.objectId, input),
})

export const testTokenGateEndpoint = defineEndpoint('testTokenGate', {
  handle: ({ context, input }) => readHolding(context, input),
})
