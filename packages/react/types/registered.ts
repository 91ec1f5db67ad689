// Types once an application has registered its classes. Compiling is the test.

import {
  createDocument,
  findDocumentPages,
  findDocuments,
  findFirstDocument,
  getDocument,
  saveDocument,
  saveDocuments,
  saveUser,
  subscribeToDocuments,
} from '../src/core.ts'
import {
  type Acl,
  type Client,
  type Doc,
  defineQuery,
  type GeoPoint,
  geoPoint,
  op,
  type Pointer,
  pointer,
  type Relation,
  relationQuery,
  useDocument,
  useDocumentCount,
  useDocuments,
  useLiveDocuments,
  useSaveDocument,
  useSaveUser,
  useSession,
  useSubscription,
  useUser,
  where,
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
declare const game: Doc<'Game'>
declare const player: Doc<'Player'>

export async function reads(): Promise<void> {
  const [found] =
    (await findDocuments(client, defineQuery('Game', { where: { score: { $gt: 5 } }, order: ['-score', 'title'] }))) ??
    []
  same<(typeof found & object)['title'], string>()
  same<(typeof found & object)['score'], number | undefined>()
  same<(typeof found & object)['objectId'], string>()
  same<(typeof found & object)['createdAt'], Date>()
  same<(typeof found & object)['owner'], Pointer<'Player'> | undefined>()
  same<(typeof found & object)['ACL'], Acl | undefined>()
  // @ts-expect-error no such field
  found?.titel

  const included = await findFirstDocument(client, defineQuery('Game', { include: ['owner.team', 'judges'] }))
  same<NonNullable<typeof included>['owner'], Doc<'Player', 'team'> | undefined>()
  included?.owner?.name satisfies string | undefined
  included?.owner?.team?.city satisfies string | undefined
  included?.judges?.[0]?.name satisfies string | undefined
  // @ts-expect-error a pointer that was not read along has no fields
  included?.owner?.user?.username

  const part = await getDocument(client, 'Game', 'x', { keys: ['title'] })
  part?.title satisfies string | undefined
  // @ts-expect-error not asked for
  part?.score
  const rest = await findFirstDocument(client, defineQuery('Game', { excludeKeys: ['settings'] }))
  rest?.score satisfies number | undefined
  // @ts-expect-error left out
  rest?.settings

  for await (const page of findDocumentPages(client, defineQuery('Player'))) page[0]?.name satisfies string | undefined
  const fans = await findDocuments(client, relationQuery(game, 'likes', { where: { name: where.startsWith('A') } }))
  fans?.[0]?.name satisfies string | undefined
  const users = await findDocuments(client, defineQuery('_User', { where: { username: 'ada' } }))
  users?.[0]?.objectId satisfies string | undefined
}

export function questions(): void {
  defineQuery('Game', {
    where: {
      title: { $in: ['Chess', 'Go'] },
      tags: 'board',
      playedAt: { $lt: new Date(), $gt: { $relativeTime: '2 days ago' } },
      place: where.near(geoPoint(1, 2), { kilometers: 5 }),
      owner: where.inQuery(defineQuery('Player', { where: { name: 'Ada' } })),
      judges: player,
      'settings.theme': 'dark',
      $or: [{ score: 1 }, { owner: pointer('Player', 'x') }],
      objectId: { $ne: 'x' },
    },
    order: ['-playedAt', 'createdAt', 'settings.theme'],
  })
  // @ts-expect-error no such class
  defineQuery('Gmae')
  // @ts-expect-error no such field
  defineQuery('Game', { where: { scroe: 1 } })
  // @ts-expect-error a number is not a text
  defineQuery('Game', { where: { title: 5 } })
  // @ts-expect-error nor in an operator
  defineQuery('Game', { where: { score: { $gt: 'many' } } })
  // @ts-expect-error a pointer to another class
  defineQuery('Game', { where: { owner: pointer('Team', 'x') } })
  // @ts-expect-error nothing to order by
  defineQuery('Game', { order: ['-scroe'] })
  // @ts-expect-error a text leads nowhere
  defineQuery('Game', { include: ['title'] })
  // @ts-expect-error no such field
  defineQuery('Game', { keys: ['scroe'] })
  // @ts-expect-error inside of $or as well
  defineQuery('Game', { where: { $or: [{ scroe: 1 }] } })
}

export async function writes(): Promise<void> {
  const made = await createDocument(client, 'Game', {
    title: 'Go',
    owner: player,
    likes: op.addToRelation(player),
    ACL: { '*': { read: true } },
  })
  made?.title satisfies string | undefined
  const changed = await saveDocument(client, game, {
    score: op.increment(1),
    tags: op.addUnique('board'),
    anything: op.add<number | string>(1, 'a'),
    judges: op.add(player),
    playedAt: op.unset(),
    'settings.theme': 'light',
  })
  changed?.title satisfies string | undefined
  const named = await saveDocument(client, pointer('Game', 'x'), { title: 'Go' })
  same<NonNullable<typeof named>['title'], string | undefined>()
  await saveDocuments(client, [
    { className: 'Game', fields: { title: 'Go' } },
    { object: player, changes: { name: 'Ada' } },
  ])
  // @ts-expect-error the title is missing
  await createDocument(client, 'Game', { score: 1 })
  // @ts-expect-error a text is not a number
  await saveDocument(client, game, { score: '1' })
  // @ts-expect-error a text cannot be counted up
  await saveDocument(client, game, { title: op.increment(1) })
  // @ts-expect-error members of another class
  await saveDocument(client, game, { likes: op.addToRelation(game) })
  // @ts-expect-error no such field
  await saveDocument(client, game, { scroe: 1 })
  // @ts-expect-error no such right
  await createDocument(client, 'Game', { title: 'Go', ACL: { '*': { delete: true } } })
}

export async function users(): Promise<void> {
  await saveUser(client, {
    nick: 'ada',
    level: op.increment(1),
    team: pointer('Team', 'x'),
    email: 'a@b.c',
    password: 'x',
  })
  await saveUser(client, { nick: op.unset() })
  // @ts-expect-error a number is not a text
  await saveUser(client, { nick: 5 })
  // @ts-expect-error no such field
  await saveUser(client, { nickname: 'ada' })
  // @ts-expect-error a password is a text
  await saveUser(client, { password: 5 })
}

export function Hooks() {
  const games = useDocuments('Game', {
    where: { score: { $gte: 1 } },
    include: ['owner'],
    enabled: true,
    keepPrevious: true,
  })
  if (games.status === 'success') games.data[0]?.owner?.name satisfies string | undefined
  games.data?.[0]?.title satisfies string | undefined
  // @ts-expect-error there is no data before it was read
  games.data[0]
  const asked = useDocuments(defineQuery('Game', { keys: ['title'] }))
  if (asked.status === 'success') asked.data[0]?.title satisfies string | undefined
  const one = useDocument('Game', undefined, { include: ['owner'] })
  if (one.status === 'success') one.data.owner?.name satisfies string | undefined
  const many = useDocumentCount('Game', { where: { score: 1 } })
  if (many.status === 'success') many.data satisfies number
  const { saveUser: saveMe } = useSaveUser()
  void saveMe({ nick: 'ada' })
  // @ts-expect-error a number is not a text
  void saveMe({ nick: 5 })
  const { create, save } = useSaveDocument('Game')
  void create({ title: 'Go' })
  void save(game, { score: op.increment(1) }, { onSuccess: (saved) => saved.title satisfies string })
  // @ts-expect-error no such field
  void create({ title: 'Go', scroe: 1 })
  // @ts-expect-error no such field
  useDocuments('Game', { where: { scroe: 1 } })
  const live = useLiveDocuments('Game', { order: ['-score'], include: ['owner'], enabled: true })
  if (live.status === 'success') live.data[0]?.owner?.name satisfies string | undefined
  // @ts-expect-error no such field
  useLiveDocuments('Game', { order: ['scroe'] })
  const subscription = useSubscription({
    query: defineQuery('Game'),
    onUpdate: (game, before) => game.title === before?.title,
  })
  if (subscription.status === 'error') subscription.error.code satisfies number
  // @ts-expect-error no such field
  return subscribeToDocuments(client, { query: defineQuery('Game'), onCreate: (game) => game.scroe })
}

export function useUsers(): void {
  const user = useUser()
  user?.nick satisfies string | undefined
  user?.level satisfies number | undefined
  user?.username satisfies string | undefined
  user?.emailVerified satisfies boolean | undefined
  // @ts-expect-error no such field
  user?.nickname
  // @ts-expect-error a number is not a text
  user?.level satisfies string | undefined
  const session = useSession()
  if (session.status === 'authenticated') session.user.team satisfies Pointer<'Team'> | undefined
  const { data: me } = useDocument('_User', user?.objectId, { include: ['team'] })
  me satisfies Doc<'_User', 'team'> | undefined
  me?.team?.city satisfies string | undefined
}
