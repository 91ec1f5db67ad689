import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addTestWallet } from '@countersign/react/testing'
import { expect, appTest as test } from '../lib/appTest.ts'
import { startApps } from '../lib/servers/startApps.mjs'
import { startChain } from '../lib/servers/startChain.mjs'
import { startServer } from '../lib/servers/startServer.mjs'

const ether = 10n ** 18n
const masterKey = 'the key of the operator of a marketplace'
const cloud = new URL('../apps/marketplace/cloud.cjs', import.meta.url).pathname
let chain: Awaited<ReturnType<typeof startChain>>
let market = ''
let appId = ''
let serverUrl = ''
let appsUrl = ''
let stop = async () => {}

test.beforeAll(async () => {
  chain = await startChain()
  market = (await chain.deploy('Market')).toLowerCase()
  const folder = await mkdtemp(join(tmpdir(), 'countersign-cloud-'))
  await cp(cloud, join(folder, 'main.cjs'))
  const apps = await startApps()
  const server = await startServer({
    masterKey,
    cloud: folder,
    wallet: { origins: [apps.url] },
    olderSignIn: { messages: ['Hello from an older application'] },
    usePublicNodes: false,
    chains: [{ id: chain.chainId, name: 'local', rpcUrls: [chain.url], finality: 3, index: { pollInterval: 200 } }],
  })
  appId = (await (await fetch(`${server.url}/config.json`)).json()).appId
  serverUrl = `${server.url}/server`
  appsUrl = apps.url
  stop = async () => {
    await Promise.all([apps.stop(), server.stop(), chain.stop()])
    await rm(folder, { recursive: true })
  }
})

test.afterAll(() => stop())

/** As the script of a course that adds events does it. */
async function watchEvent(tableName: string, name: string, inputs: object[]): Promise<void> {
  const response = await fetch(`${serverUrl}/functions/watchContractEvent`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'X-Parse-Application-Id': appId,
      'X-Parse-Master-Key': masterKey,
    },
    body: JSON.stringify({
      chainId: chain.chainId,
      address: market,
      tableName,
      topic: `${name}(…)`,
      sync_historical: true,
      abi: { type: 'event', name, anonymous: false, inputs },
    }),
  })
  expect(await response.json()).toEqual({ result: { success: true } })
}

const input = (name: string, type: string, indexed = false) => ({ name, type, internalType: type, indexed })

test('a marketplace on the older packages: events become rows, cloud code keeps a list, pages follow it live', async ({
  page,
  context,
  strangers,
}) => {
  test.setTimeout(120_000)
  // Asked by moralis-v1 at every start, and by nothing of ours.
  for (const host of ['www.unpkg.com', 'internal-api.moralis.io']) {
    strangers.answers.set(host, (route) => route.abort())
  }
  const id = input('id', 'uint256', true)
  const seller = input('seller', 'address', true)
  const price = input('price', 'uint256')
  // One item was listed before anybody watched.
  const someone = `0x${'5'.repeat(40)}`
  await chain.call('Market', market, 'list', [9n, someone, 2n * ether, 1])
  await watchEvent('ItemListed', 'Listed', [id, seller, price, input('expires', 'uint32')])
  await watchEvent('ItemBought', 'Sold', [id, seller, input('buyer', 'address', true), price])
  await watchEvent('ItemCanceled', 'Canceled', [id, seller])
  const mine = async (blocks: number) => {
    for (let count = 0; count < blocks; count++) await chain.give(someone, 1n)
  }
  await mine(5)

  const wallet = await addTestWallet(context, {
    evm: 'legacy',
    rpcUrl: chain.url,
    chainId: chain.chainId,
    chains: [chain.chainId],
  })
  const [account = ''] = wallet.addresses.map((address) => address.toLowerCase())
  await chain.give(account, ether)
  const query = new URLSearchParams({ appId, serverUrl, market })
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click()
  const list = (name: string) => page.getByRole('list', { name }).getByRole('listitem')
  await page.goto(`${appsUrl}/marketplace/?${query}`)
  await expect(page.locator('#ready')).toHaveText('true')
  await expect(list('Items')).toHaveText([`9 for 2 by ${someone}`])
  await expect(list('Listings')).toHaveText(['9 confirmed'])

  await click('Sign in')
  await expect(page.locator('#signedIn')).toHaveText('true')
  // react-moralis puts what is new at the end.
  await click('List item')
  await expect(list('Listings')).toHaveText(['9 confirmed', '7 open'])
  await expect(list('Items')).toHaveCount(1)
  await mine(4)
  await expect(list('Listings')).toHaveText(['9 confirmed', '7 confirmed'])
  await expect(list('Items').filter({ hasText: `7 for 1.5 by ${account}` })).toHaveCount(1)

  // A hook that throws leaves the row out.
  await click('List for free')
  await click('Buy item')
  await expect(list('Sales')).toHaveText(['7'])
  await mine(4)
  await expect(list('Items')).toHaveText([`9 for 2 by ${someone}`])
  await expect(list('Listings')).toHaveCount(2)

  await click('Cancel item')
  await expect(list('Cancellations')).toHaveText(['9'])
  await mine(4)
  await expect(list('Items')).toHaveCount(0)
  await page.reload()
  await expect(list('Sales')).toHaveText(['7'])
  await expect(list('Items')).toHaveCount(0)
})
