import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain } from '../../testing/chain/Chain.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import { createWalletUser } from '../../testing/createWalletUser.ts'

const master = { master: true }
const patience = { timeout: 60_000, interval: 50 }

let node: Chain
let server: TestServer

beforeAll(async () => {
  node = await startChain()
  server = await createTestServer({
    chains: [{ id: node.chainId, name: 'local', rpcUrls: [node.url], headCacheTtl: 0 }],
    tokenGates: { interval: 60, staleAfter: 600 },
  })
})

afterAll(async () => {
  await server.stop()
  await node.stop()
})

test('SEC-62: a stalled node ends gated roles, and grants none', async () => {
  const token = await deployContract(node, getArtifact('Token'), ['Token', 'TOK', 18])
  const mint = (to: `0x${string}`) =>
    createDeployerClient(node).writeContract({
      address: token,
      abi: getArtifact('Token').abi,
      functionName: 'mint',
      args: [to, 5n],
    })
  const [account, late] = [generatePrivateKey(), generatePrivateKey()].map((key) => privateKeyToAccount(key))
  if (!account || !late) throw new Error('There are no keys.')
  await mint(account.address)
  await mint(late.address)
  const user = await createWalletUser(server, account)
  const role = await server.call('POST', '/roles', { name: 'holders', ACL: { '*': { read: true } } }, master)
  const input = { role: 'holders', chain: 'local', kind: 'erc20', token, amount: '5' }
  const gate = (await server.call('POST', '/tokenGates', input, master)).body.objectId as string
  const members = async () => {
    const object = { __type: 'Pointer', className: '_Role', objectId: role.body.objectId }
    const where = encodeURIComponent(JSON.stringify({ $relatedTo: { object, key: 'users' } }))
    const { body } = await server.call('GET', `/users?where=${where}`, undefined, master)
    return (body.results as { objectId: string }[]).map(({ objectId }) => objectId).sort()
  }
  await expect.poll(members, patience).toEqual([user.objectId])

  server.clock.forward(590_000)
  const check = () => server.call('POST', `/tokenGates/${gate}/check`, {}, master)
  expect((await check()).status).toBe(200)
  expect(await members()).toEqual([user.objectId])
  server.clock.forward(60_000)
  const stale = await check()
  expect([stale.status, stale.body.error]).toEqual([400, expect.stringContaining('seconds old')])
  await expect.poll(members, patience).toEqual([])
  // Nor does a wallet that is linked now get the role by it.
  const second = await createWalletUser(server, late)
  expect((await check()).status).toBe(400)
  expect(await members()).toEqual([])

  await node.request('evm_increaseTime', [650])
  await node.mine(1)
  expect((await check()).status).toBe(200)
  await expect.poll(members, patience).toEqual([user.objectId, second.objectId].sort())
})
