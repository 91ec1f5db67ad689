import type { Who } from './Chaos.ts'
import { sendPatiently } from './sendPatiently.ts'

/** The class, users with a session each, and a role that every third of them holds. */
export async function enrol(url: string, count: number): Promise<Who[]> {
  const send = async (path: string, body: object) => (await sendPatiently(() => url, 'POST', path, body)).body
  const number = { type: 'Number' }
  await send('/schemas/Cell', {
    className: 'Cell',
    fields: { n: number, room: number, score: number, writer: number, step: number },
  })
  const users: (Who & { objectId: string })[] = []
  for (let at = 0; at < count; at++) {
    const { objectId, sessionToken } = await send('/users', {
      username: `user${at}`,
      password: `password of ${at} is long`,
    })
    const names = ['*', String(objectId), ...(at % 3 === 0 ? ['role:crew'] : [])]
    users.push({ name: `user${at}`, token: String(sessionToken), names, objectId: String(objectId) })
  }
  const objects = users
    .filter(({ names }) => names.length > 2)
    .map(({ objectId }) => ({ __type: 'Pointer', className: '_User', objectId }))
  await send('/roles', { name: 'crew', ACL: {}, users: { __op: 'AddRelation', objects } })
  return users
}
