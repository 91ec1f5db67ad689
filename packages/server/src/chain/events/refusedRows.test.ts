import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createMarket, type Market } from '../../testing/chain/createMarket.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'

let chain: Chain
let market: Market
let server: TestServer

beforeAll(async () => {
  chain = await startChain()
  market = await createMarket(chain)
  await note(1, 'early')
  const event = 'event Noted(uint256 indexed id, string text, bytes raw, bool open, int128 delta)'
  const contracts = [market.address]
  const index = { mode: 'off' as const, pollInterval: 50 }
  server = await createTestServer({
    chains: [
      {
        id: chain.chainId,
        name: 'local',
        rpcUrls: [chain.url],
        headCacheTtl: 0,
        index,
        events: [
          { class: 'Sorted', event, contracts },
          { class: 'Single', event, contracts },
          { class: 'Hooked', event, contracts },
        ],
      },
    ],
  })
  server.context.registry.hooks.set('beforeSave Hooked', [async () => undefined])
})
afterAll(async () => {
  await server.stop()
  await chain.stop()
})

const note = (id: number, text: string) => market.send('note', BigInt(id), text, '0x', true, 1n)

const listIds = async (className: string) => {
  const { body } = await server.call('GET', `/classes/${className}?order=block,logIndex`, undefined, { master: true })
  return (body.results as { uid: string }[]).map(({ uid }) => uid)
}

test('SEC-32: an event that an index of its class refuses is left out, and holds up no other', async () => {
  const patience = { timeout: 60_000 }
  for (const name of ['Sorted', 'Single', 'Hooked']) {
    await expect.poll(() => listIds(name), patience).toEqual(['1'])
    const unique = name === 'Single' && { unique: true }
    const made = await server.call(
      'PUT',
      `/schemas/${name}`,
      { className: name, indexes: { byText: { text: 1, ...unique } } },
      { master: true },
    )
    expect(made.status, made.text).toBe(200)
  }
  const long = randomBytes(6_000).toString('base64')
  const texts = ['plain', long, 'plain', 'late']
  for (const [index, text] of texts.entries()) await note(index + 2, text)
  await expect.poll(() => listIds('Sorted'), patience).toEqual(['1', '2', '4', '5'])
  await expect.poll(() => listIds('Hooked'), patience).toEqual(['1', '2', '4', '5'])
  await expect.poll(async () => (await listIds('Single')).at(-1), patience).toBe('5')
  expect(server.logs.some((line) => line.includes('an event is left out'))).toBe(true)
})
