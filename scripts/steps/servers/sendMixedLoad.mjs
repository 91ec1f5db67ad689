/** @typedef {{ status: number, body: any }} Answer */

/**
 * Requests of several clients at once: sign-ups, creates, reads, queries, changes, counts, transactions, deletes,
 * roles and new fields.
 *
 * @param {(method: string, path: string, body?: object, headers?: Record<string, string>) => Promise<Answer>} call
 * @param {{ clients: number, rounds: number }} size
 */
export async function sendMixedLoad(call, { clients, rounds }) {
  /** Responses by status. @type {Map<number, number>} */
  const counts = new Map()
  /** @type {string[]} */
  const errors = []
  const take = (/** @type {Answer} */ { status, body }) => {
    counts.set(status, (counts.get(status) ?? 0) + 1)
    if (status >= 500 || status === 0) errors.push(JSON.stringify(body))
    return body
  }
  await Promise.all(
    Array.from({ length: clients }, async (_, client) => {
      const guest = { 'X-Parse-Master-Key': '' }
      const account = { username: `user${client}`, password: 'a long password' }
      const { sessionToken, objectId: userId } = take(await call('POST', '/users', account, guest))
      const own = { ...guest, 'X-Parse-Session-Token': sessionToken }
      for (let round = 0; round < rounds; round++) {
        const ACL = { [userId]: { read: true, write: true } }
        const { objectId } = take(await call('POST', '/classes/Score', { client, round, ACL }, own))
        take(await call('GET', `/classes/Score/${objectId}`, undefined, own))
        const where = encodeURIComponent(JSON.stringify({ client, round: { $lte: round } }))
        take(await call('GET', `/classes/Score?where=${where}&order=-createdAt&limit=20`, undefined, own))
        take(await call('PUT', `/classes/Score/${objectId}`, { round: { __op: 'Increment', amount: 1 } }, own))
        take(await call('GET', '/users/me', undefined, own))
        const requests = [1, 2].map((part) => ({ method: 'POST', path: '/server/classes/Part', body: { part } }))
        take(await call('POST', '/batch', { requests, transaction: true }, own))
        take(await call('GET', '/classes/Score?count=1&limit=0', undefined, own))
        if (round % 10 === 5) take(await call('POST', '/classes/Wide', { [`field${client}_${round}`]: round }))
        if (round % 10 === 7) take(await call('DELETE', `/classes/Score/${objectId}`, undefined, own))
      }
    }),
  )
  return { counts, errors }
}
