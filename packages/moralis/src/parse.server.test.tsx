import { createClient } from '@countersign/react/core'
import { act, cleanup, configure, renderHook, waitFor } from '@testing-library/react'
import { type ReactNode, StrictMode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { WebSocket } from 'ws'
import { serveTests } from '../../react/src/testing/serveTests.ts'
import {
  MoralisProvider,
  useERC20Balances,
  useMoralis,
  useMoralisCloudFunction,
  useMoralisFile,
  useMoralisQuery,
  useMoralisSubscription,
  useNativeBalance,
  useNewMoralisObject,
  useNFTBalances,
  useOneInchQuote,
  useOpenSeaAsset,
} from './index.ts'

const code = `
  import { defineFunction } from 'countersign'
  export const double = defineFunction({ handle: ({ input }) => ({ twice: input.number * 2, at: input.at }) })
  export const slow = defineFunction({
    handle: ({ input }) => new Promise((resolve) => setTimeout(resolve, input.wait, { wait: input.wait })),
  })
  export const games = defineFunction({ handle: ({ objects }) => objects.find('Cloudy', {}) })
  export const getNativeBalance = defineFunction({ handle: ({ input }) => ({ balance: '1500000000000000000', ...input }) })
  export const getNFTs = defineFunction({
    handle: ({ input }) => ({
      total: 2, page: input.cursor ? 1 : 0, page_size: 1, cursor: input.cursor ? '' : 'next', chain: input.chain,
      result: [{ token_id: input.cursor ? '2' : '1', metadata: '{"image":"ipfs://x"}' }],
    }),
  })
  export const opensea_getAsset = defineFunction({ handle: ({ input }) => ({ data: { success: true, result: { data: input } } }) })
`

// Loading on first use takes time on a busy machine.
configure({ asyncUtilTimeout: 60_000 })

const server = serveTests({}, { 'main.mjs': code })
beforeEach(() => {
  window.localStorage.clear()
  vi.stubGlobal('WebSocket', WebSocket)
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

async function open<Result>(useIt: () => Result) {
  const { appId, serverUrl } = server
  const client = createClient({ session: 'storage' })
  const wrapper = ({ children }: { children: ReactNode }) => (
    <StrictMode>
      <MoralisProvider appId={appId} serverUrl={serverUrl} client={client}>
        {children}
      </MoralisProvider>
    </StrictMode>
  )
  const { result } = renderHook(() => ({ ...useMoralis(), it: useIt() }), { wrapper })
  await waitFor(() => expect(result.current.isInitialized).toBe(true))
  return { result, Moralis: result.current.Moralis }
}

const nothing = () => undefined

test('objects: extend, set, operations, save, fetch, destroy, nested and with an access list', async () => {
  const { Moralis } = await open(nothing)
  const Monster = Moralis.Object.extend('Monster', {
    strength() {
      return this.get('power') * 2
    },
  })
  const monster = new Monster({ power: 3 })
  monster.set('name', 'Bert')
  monster.set({ tags: ['a'], born: new Date('2020-01-01') })
  monster.set('place', new Moralis.GeoPoint(48, 16))
  monster.set('friend', new Moralis.Object('Friend', { name: 'Ada' }))
  const acl = new Moralis.ACL()
  acl.setPublicReadAccess(true)
  acl.setPublicWriteAccess(true)
  monster.setACL(acl)
  expect([monster.isNew(), monster.dirty('name'), monster.id]).toEqual([true, true, undefined])
  expect(await monster.save()).toBe(monster)
  expect([monster.isNew(), monster.dirty(), monster.strength()]).toEqual([false, false, 6])
  monster.increment('power', 2)
  monster.addUnique('tags', 'b')
  monster.unset('name')
  expect([monster.get('power'), monster.get('tags'), monster.has('name')]).toEqual([5, ['a', 'b'], false])
  await monster.save()
  const found = await new Moralis.Query(Monster).include('friend').get(monster.id)
  expect(found).toBeInstanceOf(Monster)
  expect(found.attributes).toMatchObject({ power: 5, tags: ['a', 'b'], born: new Date('2020-01-01') })
  expect(found.get('name')).toBeUndefined()
  expect(found.get('friend').get('name')).toBe('Ada')
  expect(found.get('place').kilometersTo(new Moralis.GeoPoint(48, 16))).toBe(0)
  expect(found.getACL()?.getPublicWriteAccess()).toBe(true)
  expect(found.createdAt).toBeInstanceOf(Date)
  expect(found.equals(monster)).toBe(true)
  found.set('power', 9)
  found.revert()
  expect(found.get('power')).toBe(5)
  const other = Monster.createWithoutData(monster.id)
  await other.fetch()
  expect(other.get('power')).toBe(5)
  await monster.destroy()
  await expect(new Moralis.Query('Monster').get(monster.id)).rejects.toMatchObject({
    code: 101,
    message: 'Object not found.',
  })
  await expect(other.fetch()).rejects.toBeInstanceOf(Moralis.Error)
  expect(Moralis.Error.OBJECT_NOT_FOUND).toBe(101)
})

test('a failed save keeps the changes', async () => {
  const { Moralis } = await open(nothing)
  const object = await new Moralis.Object('Typed', { number: 1 }).save()
  object.set('number', 'text')
  await expect(object.save()).rejects.toMatchObject({ code: 111 })
  expect(object.dirtyKeys()).toEqual(['number'])
})

test('keeps changes made during a save for the next one', async () => {
  const { Moralis } = await open(nothing)
  const object = await new Moralis.Object('Busy', { n: 1, text: 'a', list: [1] }).save()
  object.increment('n', 2)
  object.increment('n', 3)
  object.set('text', 'b')
  object.add('list', 2)
  const saving = object.save()
  await new Promise((resolve) => setTimeout(resolve, 0))
  object.increment('n', 10)
  object.set('text', 'c')
  await saving
  expect(object.attributes).toMatchObject({ n: 16, text: 'c', list: [1, 2] })
  expect(object.dirtyKeys().sort()).toEqual(['n', 'text'])
  await object.save()
  expect(object.dirty()).toBe(false)
  const found = await new Moralis.Query('Busy').get(object.id)
  expect(found.attributes).toMatchObject({ n: 16, text: 'c', list: [1, 2] })
})

test('queries: conditions, order, joins, subqueries, count, each', async () => {
  const { Moralis } = await open(nothing)
  const all = Array.from(
    { length: 5 },
    (_, n) => new Moralis.Object('Score', { n, name: `player ${n}`, even: n % 2 === 0 }),
  )
  await Moralis.Object.saveAll(all)
  const query = () => new Moralis.Query('Score')
  const numbers = async (asked: ReturnType<typeof query>) => (await asked.find()).map((one) => one.get('n'))
  expect(await numbers(query().greaterThan('n', 1).lessThanOrEqualTo('n', 3).descending('n'))).toEqual([3, 2])
  expect(await numbers(query().containedIn('n', [1, 4]).ascending('n'))).toEqual([1, 4])
  expect(await numbers(query().notEqualTo('even', true).ascending('n').skip(1).limit(1))).toEqual([3])
  expect(await numbers(query().endsWith('name', '2'))).toEqual([2])
  expect(await numbers(query().matches('name', /^PLAYER 4/i))).toEqual([4])
  const either = Moralis.Query.or(query().equalTo('n', 0), query().equalTo('n', 4)).ascending('n')
  expect(await numbers(either)).toEqual([0, 4])
  expect(await query().equalTo('even', true).count()).toBe(3)
  expect((await query().descending('n').first())?.get('n')).toBe(4)
  expect((await query().exists('n').select('n').ascending('n').first())?.attributes).not.toHaveProperty('name')
  await new Moralis.Object('Prize', { score: all[2] }).save()
  expect(await new Moralis.Query('Prize').matchesQuery('score', query().equalTo('n', 2)).count()).toBe(1)
  expect(await new Moralis.Query('Prize').equalTo('score', all[2]).count()).toBe(1)
  expect(await new Moralis.Query('Prize').doesNotExist('score').count()).toBe(0)
  const seen: number[] = []
  await query()
    .ascending('n')
    .limit(2)
    .each((one) => void seen.push(one.get('n')))
  expect(seen).toEqual([0, 1, 2, 3, 4])
  const counted = (await query().limit(1).withCount().find()) as unknown as { results: unknown[]; count: number }
  expect([counted.results.length, counted.count]).toEqual([1, 5])
})

test('relations and roles', async () => {
  const { Moralis } = await open(nothing)
  const [a, b] = await Promise.all([1, 2].map((n) => new Moralis.Object('Member', { n }).save()))
  const club = await new Moralis.Object('Club', { name: 'Chess' }).save()
  club.relation('members').add([a, b].filter((one) => one !== undefined))
  await club.save()
  expect(await club.relation('members').query().count()).toBe(2)
  if (a) club.relation('members').remove(a)
  await club.save()
  const again = await new Moralis.Query('Club').get(club.id)
  expect((await again.get('members').query().find()).map((one: { id: string }) => one.id)).toEqual([b?.id])
  const role = new Moralis.Role('Admins', new Moralis.ACL())
  expect([role.getName(), role.className]).toEqual(['Admins', '_Role'])
})

test('users of the older SDK sign up, save and are the current one', async () => {
  const { result, Moralis } = await open(nothing)
  const user = new Moralis.User()
  user.set('username', 'parse-user')
  user.set('password', 'correct horse battery')
  await act(() => user.signUp())
  expect(result.current.user?.id).toBe(user.id)
  expect([user.isCurrent(), user.getUsername(), user.get('password')]).toEqual([true, 'parse-user', undefined])
  user.set('colour', 'teal')
  await act(() => user.save())
  expect(result.current.user?.get('colour')).toBe('teal')
  await server.asMaster('PUT', `/classes/_User/${user.id}`, { colour: 'red' })
  await act(() => user.fetch())
  expect([user.get('colour'), result.current.user?.get('colour')]).toEqual(['red', 'red'])
  expect(user.getSessionToken()).toMatch(/^r:/)
  await act(() => Moralis.User.logOut())
  expect([Moralis.User.current(), result.current.user]).toEqual([null, null])
})

test('R21: cloud functions, by Moralis.Cloud and by the hook, which asks again when its input changes', async () => {
  const { result, Moralis } = await open(() => {
    const [first, second] = [useMoralisCloudFunction('double', { number: 21 }), useMoralisCloudFunction('missing')]
    return { first, second, third: useMoralisCloudFunction('double', { number: 1 }, { autoFetch: false }) }
  })
  await waitFor(() => expect(result.current.it.first.data).toEqual({ twice: 42 }))
  expect(result.current.it.first).toMatchObject({ error: null, isFetching: false, isLoading: false })
  await waitFor(() => expect(result.current.it.second.error).toMatchObject({ code: 141 }))
  expect(result.current.it.third.data).toBeNull()
  const at = new Date('2026-01-02')
  const answer = await act(() => result.current.it.third.fetch({ params: { number: 4, at } }))
  expect(answer).toEqual({ twice: 8, at })
  expect(result.current.it.third.data).toEqual({ twice: 8, at })
  const thrown = result.current.it.second.fetch({ throwOnError: true })
  await act(() => expect(thrown).rejects.toMatchObject({ code: 141 }))
  const cloudy = await new Moralis.Object('Cloudy', { a: 1 }).save()
  const [game] = await Moralis.Cloud.run('games')
  expect([game.id, game.get('a')]).toEqual([cloudy.id, 1])
})

test('ignores a response that arrives after a newer call', async () => {
  const { result } = await open(() => useMoralisCloudFunction('slow', {}, { autoFetch: false }))
  await act(async () => {
    const first = result.current.it.fetch({ params: { wait: 600 } })
    const second = result.current.it.fetch({ params: { wait: 0 } })
    expect(await second).toEqual({ wait: 0 })
    expect(await first).toEqual({ wait: 600 })
  })
  expect(result.current.it).toMatchObject({ data: { wait: 0 }, isFetching: false })
})

test('useMoralisQuery and useNewMoralisObject', async () => {
  const { result } = await open(() => ({
    made: useNewMoralisObject('Card'),
    list: useMoralisQuery<{ n: number }>('Card', (query) => query.ascending('n')),
  }))
  await waitFor(() => expect(result.current.it.list.isFetching).toBe(false))
  expect(result.current.it.list.data).toEqual([])
  const saved = await act(() => result.current.it.made.save({ n: 1 }))
  expect(result.current.it.made).toMatchObject({ isSaving: false, error: null, object: { id: saved.id } })
  await act(() => result.current.it.list.fetch())
  expect(result.current.it.list.data.map((card) => card.get('n'))).toEqual([1])
  await act(() => result.current.it.made.save({ n: 'no number' }))
  expect(result.current.it.made.error).toMatchObject({ code: 111 })
})

test('files', async () => {
  const { result, Moralis } = await open(useMoralisFile)
  await act(() => result.current.signup('file-owner', 'correct horse battery'))
  const file = await act(() =>
    result.current.it.saveFile('hello.txt', { base64: btoa('hello') }, { type: 'text/plain' }),
  )
  expect(file?.name()).toMatch(/hello\.txt$/)
  expect(file?.url()).toContain('http')
  expect(result.current.it).toMatchObject({ isUploading: false, error: null })
  const object = await new Moralis.Object('Holder', { file: new Moralis.File('a.txt', [104, 105]) }).save()
  const found = await new Moralis.Query('Holder').get(object.id)
  expect(found.get('file').url()).toBe(object.get('file').url())
  await act(() => result.current.it.saveFile('x', {} as { uri: string }))
  expect(result.current.it.error?.message).toBe('Cannot create a Parse.File with that data.')
})

test('R24: a live list follows the server; a subscription receives events', async () => {
  const events: string[] = []
  const { result, Moralis } = await open(() => {
    useMoralisSubscription('Live', (query) => query, [], {
      onCreate: (object) => events.push(`create ${object.get('n')}`),
      onDelete: (object) => events.push(`delete ${object.get('n')}`),
    })
    return useMoralisQuery('Live', (query) => query.greaterThan('n', 0), [], { live: true })
  })
  const subscription = await new Moralis.Query('Live').subscribe()
  subscription.on('update', (object) => events.push(`update ${object.get('n')}`))
  await new Promise((resolve) => setTimeout(resolve, 300))
  const numbers = () => result.current.it.data.map((one) => one.get('n'))
  const first = await new Moralis.Object('Live', { n: 1 }).save()
  await waitFor(() => expect(numbers()).toEqual([1]))
  await new Moralis.Object('Live', { n: 2 }).save()
  await waitFor(() => expect(numbers()).toEqual([1, 2]))
  await first.save({ n: 5 })
  await waitFor(() => expect(numbers()).toEqual([5, 2]))
  await first.save({ n: -1 })
  await waitFor(() => expect(numbers()).toEqual([2]))
  await first.destroy()
  await waitFor(() => expect(events).toContain('delete -1'))
  expect(events).toEqual(['create 1', 'create 2', 'update 5', 'update -1', 'delete -1'])
  await subscription.unsubscribe()
})

test('the Web3API asks functions of the server with the older defaults, and has a next page', async () => {
  const address = '0x19e7e376e7c213b7e7e7e46cc70a5dd086daff2a'
  const { result, Moralis } = await open(() => ({
    balance: useNativeBalance({ address, chain: '0x89' }),
    nfts: useNFTBalances({ address }),
    nobody: useERC20Balances(),
  }))
  await waitFor(() => expect(result.current.it.balance.data.balance).toBe('1500000000000000000'))
  expect(result.current.it.balance).toMatchObject({ data: { formatted: '1.5 POL' }, nativeToken: { symbol: 'POL' } })
  await waitFor(() => expect(result.current.it.nfts.data).not.toBeNull())
  expect(result.current.it.nfts.data.result[0]).toMatchObject({ image: 'https://gateway.ipfs.io/ipfs/x', metadata: {} })
  expect(result.current.it.nobody).toMatchObject({ data: null, isFetching: false, error: null })
  const page = await Moralis.Web3API.account.getNFTs({ address })
  expect([page.chain, page.result[0].token_id]).toEqual(['eth', '1'])
  const next = await page.next()
  expect([next.result[0].token_id, next.next]).toEqual(['2', undefined])
  const account: Record<string, (input: object) => Promise<unknown>> = Moralis.Web3API.account
  await expect(account.getNothing?.({ address })).rejects.toMatchObject({ code: 141 })
})

test('plugins say that their service is gone, unless the server has their function', async () => {
  const token = { address: '0x0', decimals: 18 }
  const { result } = await open(() => ({
    gone: useOneInchQuote({ fromAmount: 1, fromToken: token, toToken: token }),
    own: useOpenSeaAsset({ tokenAddress: '0x1', tokenId: '2' }),
  }))
  await act(() => result.current.it.gone.getQuote())
  expect(result.current.it.gone.error).toMatchObject({
    message: 'The 1inch plugin of Moralis no longer exists.',
    details: expect.stringContaining('oneInch_quote'),
  })
  await act(() => result.current.it.own.getAsset())
  expect(result.current.it.own.data).toEqual({ network: 'mainnet', tokenAddress: '0x1', tokenId: '2' })
})
