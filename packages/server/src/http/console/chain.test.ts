import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Chain } from '../../testing/chain/Chain.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { openConsole } from '../../testing/openConsole.ts'

const secret = 'key-of-the-node'
let chain: Chain
const office = openConsole()
const { root, helper, watcher, ann, ask } = office
beforeAll(async () => {
  chain = await startChain()
  const dead = `http://user:${secret}@127.0.0.1:9/${secret}?key=${secret}`
  await office.startWith({
    chains: [
      { id: chain.chainId, name: 'alive', rpcUrls: [`${chain.url}/${secret}?key=${secret}`] },
      { id: 4711, name: 'dead', rpcUrls: [dead], timeout: 1_000 },
    ],
  })
})
beforeEach(office.renew)
afterAll(async () => {
  await office.stop()
  await chain.stop()
})

test('nodes are shown with their health, and never with what is secret in their addresses', async () => {
  const answer = await ask(watcher, 'GET', '/console/chain')
  const [alive, dead] = answer.body.results as Record<string, unknown>[]
  expect(alive).toMatchObject({
    chain: chain.chainId,
    name: 'alive',
    head: { number: expect.any(Number), at: expect.any(String) },
    nodes: [{ host: new URL(chain.url).host, status: 'ready', latency: expect.any(Number) }],
  })
  expect(dead).toMatchObject({ chain: 4711, headError: expect.any(String), nodes: [{ host: '127.0.0.1:9' }] })
  expect(dead?.nodes).toMatchObject([{ failures: expect.any(Number), lastError: expect.any(String) }])
  expect(answer.text).not.toContain(secret)
})

test('finds nothing for users without the role admin or viewer', async () => {
  expect((await ask(helper, 'GET', '/console/chain')).body.reason).toBe('operatorForbidden')
  expect((await ask(ann, 'GET', '/console/chain')).status).toBe(404)
})

test('administrators follow events and give them up; viewers read', async () => {
  const event = {
    chain: chain.chainId,
    class: 'Sale',
    event: 'event Sold(uint256 indexed id, address buyer)',
    contracts: [`0x${'ab'.repeat(20)}`],
  }
  expect((await ask(watcher, 'POST', '/syncs', event)).body.reason).toBe('operatorForbidden')
  const { status, body } = await ask(root, 'POST', '/syncs', event)
  expect(status).toBe(201)
  expect((await ask(watcher, 'GET', '/syncs')).body.results).toMatchObject([{ name: body.name, class: 'Sale' }])
  expect((await ask(watcher, 'GET', '/states')).body.results).toEqual([])
  const place = `/syncs/${chain.chainId}/${encodeURIComponent(String(body.name))}`
  expect((await ask(watcher, 'DELETE', place)).body.reason).toBe('operatorForbidden')
  expect((await ask(root, 'DELETE', place)).status).toBe(200)
})
