import { type AttackCase, casesOf } from '../AttackCase.ts'
import type { Cast } from '../createCast.ts'
import { guest, type Scene } from '../createScene.ts'
import type { Answer } from '../createTarget.ts'
import { where } from './accessCases.ts'

type Hidden = { className: string; id: string; value: string; other: string }

const everybody = { '*': true }
const rights = (read: object) => ({
  ...{ find: read, get: read, count: read },
  ...{ create: everybody, update: everybody, delete: {}, addField: {} },
})

/** Creates a class of its own with one object of the victim, whose field `secret` only the master key may see. */
export async function plantHidden(scene: Scene, { victim }: Cast, permissions: object): Promise<Hidden> {
  const master = scene.master ?? scene.skip('needs the master key to hide a field')
  const className = `Attack${scene.run}Hidden${scene.made.classes.size}`
  const fields = {
    ...{ secret: { type: 'String' }, note: { type: 'String' }, data: { type: 'Object' } },
    owner: { type: 'Pointer', targetClass: '_User' },
  }
  const classLevelPermissions = { ...rights(everybody), ...permissions }
  await scene.need(master, 'POST', `/schemas/${className}`, { className, fields, classLevelPermissions })
  scene.made.classes.add(className)
  const value = scene.addSecret('HIDDEN', `m${scene.run}${className}`)
  const other = `m${scene.run}another`
  const { body } = await scene.need(master, 'POST', `/classes/${className}`, {
    ...{ secret: value, data: { key: value }, note: 'shown', ACL: { '*': { read: true } } },
    owner: { __type: 'Pointer', className: '_User', objectId: victim.id },
  })
  return { className, id: String(body.objectId), value, other }
}

const hidden = { protectedFields: { '*': ['secret', 'data'] } }

/** Permissions by which only the user in `owner` may read an object. */
export const ownersOnly = { ...rights({}), readUserFields: ['owner'] }

/** Conditions that are true for the hidden value, and false for another. */
const guesses: ((value: string, className: string) => unknown)[] = [
  (value) => ({ secret: value }),
  (value) => ({ secret: { $regex: `^${value.slice(0, -1)}` } }),
  (value) => ({ secret: { $in: [value] } }),
  (value) => ({ secret: { $gte: value, $lte: value } }),
  (value) => ({ $or: [{ secret: value }, { note: 'nothing' }] }),
  (value) => ({ $and: [{ note: 'shown' }, { secret: value }] }),
  (value) => ({ $nor: [{ secret: { $ne: value } }] }),
  (value) => ({ 'data.key': value }),
  (value) => ({ data: { key: value } }),
  (value) => ({ 'data.key': { $regex: `^${value}` } }),
  (value) => ({ secret: { $text: { $search: { $term: value } } } }),
  (value, className) => ({
    objectId: { $select: { query: { className, where: { secret: value } }, key: 'objectId' } },
  }),
  (value, className) => ({
    objectId: { $dontSelect: { query: { className, where: { secret: { $ne: value } } }, key: 'objectId' } },
  }),
]

const count = ({ body }: Answer): string => JSON.stringify([body.results?.length ?? 0, body.count ?? 0])

const make = casesOf('access-lists')

export const hiddenFieldCases: AttackCase[] = [
  make(
    'a hidden field is neither shown nor guessed, by no form of a query',
    'P5, GHSA-r2m8-pxm9-9c4g, CVE-2026-31872, GHSA-72hp-qff8-4pvv',
    async (scene, cast) => {
      const { className, value, other } = await plantHidden(scene, cast, hidden)
      const path = `/classes/${className}`
      for (const as of [guest, cast.stranger]) {
        for (const guess of guesses) {
          const [right, wrong] = [guess(value, className), guess(other, className)]
          const found = await scene.call(as, 'GET', `${path}${where(right)}&count=1`)
          const missed = await scene.call(as, 'GET', `${path}${where(wrong)}&count=1`)
          scene.check(
            found.status >= 400 || count(found) === count(missed),
            found,
            `A hidden field can be guessed by ${Object.keys(right as object)[0]}.`,
            'foreignData',
          )
        }
        for (const query of [
          '?keys=secret,data',
          '?keys=data.key',
          '?excludeKeys=note',
          '?include=secret,data',
          '?limit=1',
        ])
          await scene.call(as, 'GET', `${path}${query}`)
      }
    },
  ),
  make('hidden fields give no order, no distinct values and no subquery keys', 'P5', async (scene, cast) => {
    const { className, id, value } = await plantHidden(scene, cast, hidden)
    const path = `/classes/${className}`
    const { stranger } = cast
    const mine = { note: value, ACL: { [stranger.id]: { read: true, write: true } } }
    const made = await scene.call(stranger, 'POST', path, mine)
    const ids = ({ body }: Answer) => ((body.results ?? []) as { objectId?: string }[]).map(({ objectId }) => objectId)
    for (const field of ['secret', 'data', 'data.key']) {
      const up = await scene.call(stranger, 'GET', `${path}?order=${field}`)
      const down = await scene.call(stranger, 'GET', `${path}?order=-${field}`)
      scene.check(
        up.status >= 400 || ids(up).join() === ids(down).join(),
        up,
        `Objects can be sorted by the hidden field ${field}.`,
        'foreignData',
      )
      await scene.call(stranger, 'GET', `${path}?distinct=${field}`)
      const selected = {
        objectId: made.body.objectId,
        note: { $select: { query: { className, where: {} }, key: field } },
      }
      const answer = await scene.call(stranger, 'GET', `${path}${where(selected)}`)
      scene.check(
        answer.status >= 400 || ids(answer).length === 0,
        answer,
        `A subquery compares with the hidden field ${field}.`,
        'foreignData',
      )
    }
    for (const body of [
      { secret: { __op: 'Delete' } },
      { data: { __op: 'Add', objects: [1] } },
      { secret: { __op: 'Increment', amount: 0 } },
      { 'data.key': { __op: 'Increment', amount: 1 } },
      { note: 'shown' },
    ])
      await scene.call(stranger, 'PUT', `${path}/${id}`, body)
  }),
  make(
    'an object for its owner alone is found by nobody else',
    'P5, CVE-2026-33421, GHSA-fph2-r4qg-9576',
    async (scene, cast) => {
      const { className, id, value } = await plantHidden(scene, cast, ownersOnly)
      const path = `/classes/${className}`
      for (const as of [guest, cast.stranger]) {
        scene.refused(await scene.call(as, 'GET', `${path}/${id}`), `${as.name} reads an object of its owner.`)
        for (const query of ['', where({ secret: value }), where({ owner: { $exists: true } }), '?count=1&limit=0']) {
          const answer = await scene.call(as, 'GET', `${path}${query}`)
          scene.check(
            answer.status >= 400 || count(answer) === '[0,0]',
            answer,
            `${as.name} finds an object of its owner.`,
            'foreignData',
          )
        }
      }
    },
  ),
]
