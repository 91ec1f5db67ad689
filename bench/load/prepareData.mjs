import { encodeRequest } from './encodeRequest.mjs'
import { openConnection } from './openConnection.mjs'

/**
 * @param {import('../types.d.ts').Workload} workload
 * @param {import('../types.d.ts').RoundTask['contestant']} contestant
 * @param {import('../types.d.ts').Account[]} accounts
 */
export async function prepareData(workload, { wire, target }, accounts) {
  const { prepare } = workload.wires[wire]
  if (!prepare) return
  const connection = await openConnection(target.port)
  try {
    return await prepare(target, { accounts, send: (request) => connection.send(encodeRequest(request)) })
  } finally {
    connection.close()
  }
}
