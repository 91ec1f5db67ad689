import { workload as signUp } from '../workloads/signUp.mjs'
import { encodeRequest } from './encodeRequest.mjs'
import { openConnection } from './openConnection.mjs'

/**
 * Makes the accounts through the competitor's own sign-up, so that each stores what it would.
 *
 * @param {{ wire: string, target: import('../types.d.ts').Target, count: number, nextPerson(): import('../types.d.ts').Person }} task
 */
export async function seedAccounts({ wire: wireName, target, count, nextPerson }) {
  const wire = /** @type {import('../types.d.ts').Exchange | undefined} */ (signUp.wires[wireName])
  // The bare `node:http` has no accounts.
  if (!wire) return [{ ...nextPerson(), id: '', token: '' }]
  /** @type {import('../types.d.ts').Account[]} */
  const accounts = []
  let begun = 0
  const loop = async () => {
    const connection = await openConnection(target.port)
    while (begun < count) {
      begun += 1
      const person = nextPerson()
      const given = { person, account: { ...person, id: '', token: '' }, turn: 0, prepared: undefined }
      const answer = await connection.send(encodeRequest(wire.request(target, given)))
      wire.check(answer, given)
      const account = wire.readAccount?.(answer, person)
      if (!account?.id || !account.token) throw new Error(`no account in the answer: ${answer.body}`)
      accounts.push(account)
    }
    connection.close()
  }
  await Promise.all(Array.from({ length: 4 }, loop))
  return accounts
}
