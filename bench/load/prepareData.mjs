import { encodeRequest } from './encodeRequest.mjs'
import { openConnection } from './openConnection.mjs'
import { wireOf } from './wireOf.mjs'

/**
 * @param {import('../types.d.ts').Workload} workload
 * @param {import('../types.d.ts').RoundTask['competitor']} competitor
 * @param {import('../types.d.ts').Account[]} accounts
 */
export async function prepareData(workload, competitor, accounts) {
  const { target } = competitor
  const prepare = wireOf(workload, competitor)?.prepare
  if (!prepare) return
  const connection = await openConnection(target.port)
  try {
    return await prepare(target, { accounts, send: (request) => connection.send(encodeRequest(request)) })
  } finally {
    connection.close()
  }
}
