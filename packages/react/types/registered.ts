// What the compiler knows once an application has told of its classes. Compiling is the test.

import { create, find, findPages, first, get, save, saveAll, saveUser, subscribe } from '../src/core.ts'
import {
  type Acl,
  add,
  addUnique,
  type Client,
  type Document,
  type GeoPoint,
  geoPoint,
  increment,
  inQuery,
  near,
  type Pointer,
  pointer,
  query,
  type Relation,
  relate,
  relation,
  startsWith,
  unset,
  useCount,
  useLiveQuery,
  useObject,
  useQuery,
  useSave,
  useSaveUser,
  useSubscription,
} from '../src/index.ts'

declare module '../src/index.ts' {
  interface Register {
    classes: {
      Game: {
        title: string
        score?: number
        playedAt?: Date
        tags?: string[]
        anything?: unknown[]
        settings?: Record<string, unknown>
        place?: GeoPoint
        owner?: Pointer<'Player'>
        judges?: Pointer<'Player'>[]
        likes?: Relation<'Player'>
      }
      Player: { name: string; team?: Pointer<'Team'>; user?: Pointer<'_User'> }
      Team: { city?: string }
      _User: { username: string; nick?: string; level?: number; team?: Pointer<'Team'> }
    }
  }
}

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
function same<A, B>(..._: Same<A, B> extends true ? [] : [never]): void {}

declare const client: Client
declare const game: Document<'Game'>
declare const player: Document<'Player'>

export async function reads(): Promise<void> {
  const [found] =
    (await find(client, query('Game', { where: { score: { $gt: 5 } }, order: ['-score', 'title'] }))) ?? []
  same<(typeof found & object)['title'], string>()
  same<(typeof found & object)['score'], number | undefined>()
  same<(typeof found & object)['objectId'], string>()
  same<(typeof found & object)['createdAt'], Date>()
  same<(typeof found & object)['owner'], Pointer<'Player'> | undefined>()
  same<(typeof found & object)['ACL'], Acl | undefined>()
  // @ts-expect-error no such field
  found?.titel

  const included = await first(client, query('Game', { include: ['owner.team', 'judges'] }))
  same<NonNullable<typeof included>['owner'], Document<'Player', 'team'> | undefined>()
  included?.owner?.name satisfies string | undefined
  included?.owner?.team?.city satisfies string | undefined
  included?.judges?.[0]?.name satisfies string | undefined
  // @ts-expect-error a pointer that was not read along has no fields
  included?.owner?.user?.username

  const part = await get(client, 'Game', 'x', { keys: ['title'] })
  part?.title satisfies string | undefined
  // @ts-expect-error not asked for
  part?.score
  const rest = await first(client, query('Game', { excludeKeys: ['settings'] }))
  rest?.score satisfies number | undefined
  // @ts-expect-error left out
  rest?.settings

  for await (const page of findPages(client, query('Player'))) page[0]?.name satisfies string | undefined
  const fans = await find(client, relation(game, 'likes', { where: { name: startsWith('A') } }))
  fans?.[0]?.name satisfies string | undefined
  const users = await find(client, query('_User', { where: { username: 'ada' } }))
  users?.[0]?.objectId satisfies string | undefined
}

export function questions(): void {
  query('Game', {
    where: {
      title: { $in: ['Chess', 'Go'] },
      tags: 'board',
      playedAt: { $lt: new Date(), $gt: { $relativeTime: '2 days ago' } },
      place: near(geoPoint(1, 2), { kilometers: 5 }),
      owner: inQuery(query('Player', { where: { name: 'Ada' } })),
      judges: player,
      'settings.theme': 'dark',
      $or: [{ score: 1 }, { owner: pointer('Player', 'x') }],
      objectId: { $ne: 'x' },
    },
    order: ['-playedAt', 'createdAt', 'settings.theme'],
  })
  // @ts-expect-error no such class
  query('Gmae')
  // @ts-expect-error no such field
  query('Game', { where: { scroe: 1 } })
  // @ts-expect-error a number is not a text
  query('Game', { where: { title: 5 } })
  // @ts-expect-error nor in an operator
  query('Game', { where: { score: { $gt: 'many' } } })
  // @ts-expect-error a pointer to another class
  query('Game', { where: { owner: pointer('Team', 'x') } })
  // @ts-expect-error nothing to order by
  query('Game', { order: ['-scroe'] })
  // @ts-expect-error a text leads nowhere
  query('Game', { include: ['title'] })
  // @ts-expect-error no such field
  query('Game', { keys: ['scroe'] })
  // @ts-expect-error inside of $or as well
  query('Game', { where: { $or: [{ scroe: 1 }] } })
}

export async function writes(): Promise<void> {
  const made = await create(client, 'Game', {
    title: 'Go',
    owner: player,
    likes: relate(player),
    ACL: { '*': { read: true } },
  })
  made?.title satisfies string | undefined
  const changed = await save(client, game, {
    score: increment(1),
    tags: addUnique('board'),
    anything: add<number | string>(1, 'a'),
    judges: add(player),
    playedAt: unset(),
    'settings.theme': 'light',
  })
  changed?.title satisfies string | undefined
  const named = await save(client, pointer('Game', 'x'), { title: 'Go' })
  same<NonNullable<typeof named>['title'], string | undefined>()
  await saveAll(client, [
    { className: 'Game', fields: { title: 'Go' } },
    { object: player, changes: { name: 'Ada' } },
  ])
  // @ts-expect-error the title is missing
  await create(client, 'Game', { score: 1 })
  // @ts-expect-error a text is not a number
  await save(client, game, { score: '1' })
  // @ts-expect-error a text cannot be counted up
  await save(client, game, { title: increment(1) })
  // @ts-expect-error members of another class
  await save(client, game, { likes: relate(game) })
  // @ts-expect-error no such field
  await save(client, game, { scroe: 1 })
  // @ts-expect-error no such right
  await create(client, 'Game', { title: 'Go', ACL: { '*': { delete: true } } })
}

export async function users(): Promise<void> {
  await saveUser(client, {
    nick: 'ada',
    level: increment(1),
    team: pointer('Team', 'x'),
    email: 'a@b.c',
    password: 'x',
  })
  await saveUser(client, { nick: unset() })
  // @ts-expect-error a number is not a text
  await saveUser(client, { nick: 5 })
  // @ts-expect-error no such field
  await saveUser(client, { nickname: 'ada' })
  // @ts-expect-error a password is a text
  await saveUser(client, { password: 5 })
}

export function Hooks() {
  const games = useQuery('Game', {
    where: { score: { $gte: 1 } },
    include: ['owner'],
    enabled: true,
    keepPrevious: true,
  })
  if (games.status === 'success') games.data[0]?.owner?.name satisfies string | undefined
  games.data?.[0]?.title satisfies string | undefined
  // @ts-expect-error there is no data before it was read
  games.data[0]
  const asked = useQuery(query('Game', { keys: ['title'] }))
  if (asked.status === 'success') asked.data[0]?.title satisfies string | undefined
  const one = useObject('Game', undefined, { include: ['owner'] })
  if (one.status === 'success') one.data.owner?.name satisfies string | undefined
  const many = useCount('Game', { where: { score: 1 } })
  if (many.status === 'success') many.data satisfies number
  const { saveUser: saveMe } = useSaveUser()
  void saveMe({ nick: 'ada' })
  // @ts-expect-error a number is not a text
  void saveMe({ nick: 5 })
  const { create, save } = useSave('Game')
  void create({ title: 'Go' })
  void save(game, { score: increment(1) }, { onSuccess: (saved) => saved.title satisfies string })
  // @ts-expect-error no such field
  void create({ title: 'Go', scroe: 1 })
  // @ts-expect-error no such field
  useQuery('Game', { where: { scroe: 1 } })
  const live = useLiveQuery('Game', { order: ['-score'], include: ['owner'], enabled: true })
  if (live.status === 'success') live.data[0]?.owner?.name satisfies string | undefined
  // @ts-expect-error no such field
  useLiveQuery('Game', { order: ['scroe'] })
  const told = useSubscription({ query: query('Game'), onUpdate: (game, before) => game.title === before?.title })
  if (told.status === 'error') told.error.code satisfies number
  // @ts-expect-error no such field
  return subscribe(client, { query: query('Game'), onCreate: (game) => game.scroe })
}
