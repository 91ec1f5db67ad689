import { randomBytes } from 'node:crypto'
import fc from 'fast-check'
import type { TestServer } from '../createTestServer.ts'
import { anyObject } from '../objects/fuzzValues.ts'
import type { Pool } from './createPool.ts'
import { type FuzzActor, type Secret, secretMark } from './World.ts'

const types = {
  ...{ s: 'String', n: 'Number', b: 'Boolean', d: 'Date', g: 'GeoPoint', q: 'Polygon' },
  ...{ f: 'File', y: 'Bytes', o: 'Object', l: 'Array', secret: 'String' },
}
const fields = {
  ...Object.fromEntries(Object.entries(types).map(([name, type]) => [name, { type }])),
  p: { type: 'Pointer', targetClass: 'Other' },
  owner: { type: 'Pointer', targetClass: '_User' },
  r: { type: 'Relation', targetClass: 'Note' },
}
const everybody = { '*': true }
const members = { requiresAuthentication: true }
const read = (rights: object) => ({ find: rights, get: rights, count: rights })
const write = (rights: object) => ({ create: rights, update: rights, delete: rights, addField: rights })
const open = { ...read(everybody), ...write(everybody) }

/** Classes, each with another rule that hides its secrets. */
const permissions: Record<string, object> = {
  Other: open,
  Note: open,
  Locked: { ...read({}), ...write({}) },
  Members: { ...open, ...read(members) },
  Owned: { ...open, ...read({}), update: {}, delete: {}, readUserFields: ['owner'], writeUserFields: ['owner'] },
  Shaded: { ...open, update: {}, delete: {}, protectedFields: { '*': ['secret'] } },
}
export const classNames = Object.keys(permissions)

export const describeClass = (className: string) => ({
  className,
  fields,
  classLevelPermissions: permissions[className],
})

const pointerTo = (className: string, objectId: string) => ({ __type: 'Pointer', className, objectId })

/** Creates a victim with private rows everywhere, and public rows that lead to them. */
export async function plantSecrets(server: TestServer, pool: Pool) {
  const secrets = new Map<string, Secret>()
  const symbols = new Map<string, string>()
  const protectedIds = new Map<string, string[]>()
  const samples = fc.sample(anyObject, { numRuns: 60, seed: 1 })

  async function call(method: string, path: string, body: unknown, token?: string): Promise<Record<string, unknown>> {
    const answer = await server.call(method, path, body, token === undefined ? { master: true } : { token })
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`)
    return answer.body
  }
  function plant(label: string, ...readers: FuzzActor['kind'][]): string {
    const text = `${secretMark}${randomBytes(10).toString('hex')}`
    secrets.set(text, { label, readers: new Set(['master', 'operator', ...readers]) })
    return text
  }
  async function addRow(className: string, more: object): Promise<string> {
    const row = await call('POST', `/classes/${className}`, { ...samples.pop(), p: null, ...more })
    const objectId = String(row.objectId)
    pool.add('objectId', objectId)
    pool.add('place', { className, objectId })
    return objectId
  }
  function protect(className: string, id: string): void {
    const ids = protectedIds.get(className) ?? []
    protectedIds.set(className, [...ids, id])
    symbols.set(id, `${className}.private.${ids.length}`)
  }

  const email = `${plant('email of the victim')}@example.com`
  const { objectId: id, token } = await server.signUp('victim', { email, phone: plant('field of the victim') })
  secrets.set(token, { label: 'session of the victim', readers: new Set() })
  const owner = pointerTo('_User', id)
  const users = { __op: 'AddRelation', objects: [owner] }
  const role = await call('POST', '/roles', { name: 'Staff', ACL: { '*': { read: true } }, users })
  protect('_User', id)
  protect('_Role', String(role.objectId))
  const mine = { [id]: { read: true, write: true } }
  const staff = { 'role:Staff': { read: true, write: true } }

  for (const className of classNames) await call('POST', `/schemas/${className}`, describeClass(className))
  for (const className of classNames) {
    const isPrivate = className === 'Note' || className === 'Other'
    const isShown = className === 'Members' || className === 'Shaded'
    const readers = className === 'Members' ? (['user'] as const) : []
    for (const ACL of [mine, staff, mine, staff]) {
      const list = isPrivate ? { ACL } : isShown ? { ACL: { '*': { read: true } } } : {}
      protect(
        className,
        await addRow(className, { secret: plant(`a row of ${className}`, ...readers), owner, ...list }),
      )
    }
  }
  const [hidden = ''] = protectedIds.get('Other') ?? []
  const notes = (protectedIds.get('Note') ?? []).map((noteId) => pointerTo('Note', noteId))
  // Public rows lead to private ones, so that `include`, relations and subqueries have something to leak.
  for (let count = 0; count < 10; count++) {
    const p = count % 2 ? null : pointerTo('Other', hidden)
    symbols.set(await addRow('Note', { owner, p, r: { __op: 'AddRelation', objects: notes } }), `Note.public.${count}`)
  }
  const moving = [
    await addRow('Note', { secret: plant('a moving row'), owner, ACL: mine }),
    await addRow('Note', { secret: plant('a moving row of a role'), ACL: staff }),
  ]

  await call('PUT', '/config', { params: { open: 'x', closed: plant('config') }, masterKeyOnly: { closed: true } })
  await call('POST', '/auth/invitations', { email: `${plant('invitation')}@example.com`, note: plant('invitation') })
  await call('POST', '/push_audiences', { name: plant('audience'), query: '{}' })
  const url = () => `https://example.invalid/${plant('address of a hook')}`
  await call('POST', '/hooks/functions', { functionName: 'hooked', url: url() })
  await call('POST', '/webhooks', { url: url(), events: ['object.created'], classes: ['Locked'] })
  const device = { installationId: plant('installation'), deviceToken: plant('device token'), deviceType: 'ios' }
  await call('POST', '/installations', device, token)
  return { secrets, symbols, protectedIds, moving, victim: { id, token } }
}
