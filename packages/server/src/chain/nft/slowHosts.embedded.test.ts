import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Chain as TestChain } from '../../testing/chain/Chain.ts'
import { createDeployerClient } from '../../testing/chain/createDeployerClient.ts'
import { deployContract } from '../../testing/chain/deployContract.ts'
import { deployer } from '../../testing/chain/deployer.ts'
import { getArtifact } from '../../testing/chain/getArtifact.ts'
import { startChain } from '../../testing/chain/startChain.ts'
import { createTestServer, type TestServer } from '../../testing/createTestServer.ts'
import type { Chain, Hex } from '../nodes/Chain.ts'
import { getChains } from '../nodes/getChains.ts'
import type { Nft } from './Nft.ts'
import { getNftMetadata, listNftMetadata } from './nftMetadata.ts'

let node: TestChain
let server: TestServer
let chain: Chain
let pictures: Hex
let slow: Host
let quick: Host
let minted = 0

type Host = { url: string; held: ServerResponse[]; server: Server; holds: boolean }

/** A host that responds immediately, or accepts a request and never responds. */
async function startHost(holds: boolean): Promise<Host> {
  const host: Host = { url: '', held: [], holds, server: createServer() }
  host.server.on('request', (_request, response) => {
    if (host.holds) return void host.held.push(response)
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"Quick"}')
  })
  await new Promise<void>((resolve) => host.server.listen(0, '127.0.0.1', resolve))
  host.url = `http://127.0.0.1:${(host.server.address() as AddressInfo).port}`
  return host
}

beforeAll(async () => {
  ;[node, slow, quick] = await Promise.all([startChain(), startHost(true), startHost(false)])
  server = await createTestServer({
    chains: [{ id: node.chainId, name: 'local', rpcUrls: [node.url], headCacheTtl: 0 }],
    nft: { allowPrivateAddresses: true, timeout: 60_000, concurrency: 8 },
  })
  chain = getChains(server.context).get(node.chainId)
  pictures = (await deployContract(node, getArtifact('Pictures'), ['Pictures', 'PIC'])).toLowerCase() as Hex
})

afterAll(async () => {
  await server?.stop()
  await node?.stop()
  for (const { server: each } of [slow, quick]) {
    each?.close()
    each?.closeAllConnections()
  }
})

async function mint(uri: string): Promise<Nft> {
  const tokenId = BigInt(++minted)
  await createDeployerClient(node).writeContract({
    address: pictures,
    abi: getArtifact('Pictures').abi,
    functionName: 'mint',
    args: [deployer.address, tokenId, uri],
  })
  return { token: pictures, tokenId, kind: 'erc721' }
}

const picturePath = ({ token, tokenId }: Nft) => `/chain/local/nfts/${token}/${tokenId}/picture`

/** NFTs with known metadata and pictures on the host that never responds. */
async function mintSlow(count: number): Promise<Nft[]> {
  const nfts: Nft[] = []
  for (let each = 0; each < count; each++)
    nfts.push(await mint(JSON.stringify({ name: 'Slow', image: `${slow.url}/${each}.png` })))
  for (const nft of nfts) await getNftMetadata(server.context, chain, nft, { asker: 'setup' })
  return nfts
}

test('SEC-24: 24 slow pictures of one host delay no other caller', async () => {
  const nfts = await mintSlow(24)
  const answers = nfts.map((nft) => server.call('GET', picturePath(nft)))
  await expect.poll(() => slow.held.length).toBeGreaterThan(0)

  // Another host, another caller: at once.
  const other = await getNftMetadata(server.context, chain, await mint(`${quick.url}/a.json`), { asker: 'other' })
  expect(other.metadata).toEqual({ name: 'Quick' })
  // Lists fetch in the background, and a slow host holds up only what lies there.
  const listed = [await mint(`${slow.url}/b.json`), await mint(`${quick.url}/c.json`)]
  await listNftMetadata(server.context, chain, listed, 'lister')
  const read = () => listNftMetadata(server.context, chain, listed, 'lister')
  await expect.poll(async () => (await read())[1]?.metadata).toEqual({ name: 'Quick' })
  const later = [await mint(`${quick.url}/d.json`)]
  const readLater = () => listNftMetadata(server.context, chain, later, 'somebody else')
  await expect.poll(async () => (await readLater())[0]?.metadata).toEqual({ name: 'Quick' })

  // A share of what is fetched at once, for a host and for a caller.
  expect(slow.held.length).toBeLessThanOrEqual(2)
  slow.holds = false
  for (const response of slow.held) response.destroy()
  for (const { status } of await Promise.all(answers)) expect(status).toBe(404)
}, 120_000)

test('SEC-24: rejects only the caller over the limit; a rejection does not count as a failure', async () => {
  slow.holds = true
  slow.held = []
  const nfts = await mintSlow(60)
  for (const nft of nfts) await getNftMetadata(server.context, chain, nft, { asker: 'setup' })
  const many = nfts.map((nft, place) => server.call('GET', picturePath(nft)).then((answer) => ({ ...answer, place })))
  const refused = await Promise.race(
    many.map(async (answer) => ((await answer).status === 429 ? answer : new Promise<never>(() => {}))),
  )
  expect(refused).toMatchObject({ status: 429, body: { code: 155, error: expect.stringContaining('moment') } })
  slow.holds = false
  for (const response of slow.held) response.destroy()
  const statuses = (await Promise.all(many)).map(({ status }) => status)
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
  expect(statuses.filter((status) => status === 429).length).toBeLessThan(60)
  // The host returns other content: the error says so, not the former refusal.
  const nft = nfts[refused.place]
  expect(nft && (await server.call('GET', picturePath(nft))).status).toBe(404)
}, 120_000)
