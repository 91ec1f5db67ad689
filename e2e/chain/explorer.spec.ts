import { expectFailures } from '../lib/failures.ts'
import { listViolations } from '../lib/listViolations.ts'
import { startChain } from '../lib/servers/startChain.mjs'
import { startServer } from '../lib/servers/startServer.mjs'
import { expect, serveBy, test } from '../lib/test.ts'

const bob = `0x${'b0b'.padStart(40, '0')}`
let chain: Awaited<ReturnType<typeof startChain>>
let raffle = ''
let token = ''

serveBy(async () => {
  chain = await startChain()
  raffle = await chain.deploy('Raffle')
  token = await chain.deploy('Token', ['Gold', 'GLD', 18])
  const server = await startServer({
    usePublicNodes: false,
    chains: [
      {
        id: chain.chainId,
        name: 'local',
        rpcUrls: [chain.url],
        headCacheTtl: 0,
        index: { mode: 'all', startBlock: 0 },
      },
    ],
  })
  return { url: server.url, stop: async () => void (await Promise.all([server.stop(), chain.stop()])) }
})

test('from the search box to a block, a transaction in words, an address, and back', {
  tag: ['@both', '@main'],
}, async ({ page, watch }) => {
  const hash = await chain.call('Token', token, 'mint', [bob, 1_500_000_000_000_000_000n])
  const { blockNumber } = await chain.ask('eth_getTransactionReceipt', [hash])
  const block = Number(blockNumber)
  const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name })
  const search = async (text: string) => {
    await page.getByLabel('Block, transaction, address or name').fill(text)
    await page.keyboard.press('Enter')
  }

  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('link', { name: 'Explorer' }).click()
  await expect(heading('Explorer')).toBeVisible()
  await search('nonsense')
  await expect(page.getByRole('alert')).toContainText('Not recognized.')
  await search(String(block))
  await expect(heading(`Block ${block}`)).toBeVisible()
  await expect(page).toHaveURL(`/explorer/${chain.chainId}/block/${block}`)
  await page.getByRole('list', { name: 'Transactions' }).getByRole('link').first().click()
  await expect(heading('Transaction')).toBeVisible()
  await expect(page).toHaveURL(`/explorer/${chain.chainId}/tx/${hash}`)
  await expect(page.getByText('Success', { exact: true })).toBeVisible()
  // The summary comes first.
  await expect(page.getByRole('main').getByRole('listitem').first()).toHaveText(
    /^Transferred 1\.5 GLD to 0x0000…0[bB]0[bB]$/,
  )
  await expect(page.getByText('Transfer(address,address,uint256)')).toBeVisible()
  expect(await listViolations(page)).toEqual([])

  await page.getByRole('link', { name: new RegExp(bob, 'i') }).click()
  await expect(heading(/^Address 0x0000/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Transfers' })).toContainText('Received 1.5 GLD')
  await page.getByRole('link', { name: 'Tokens' }).click()
  await expect(page.getByRole('list', { name: 'Tokens' })).toContainText('1.5 GLD')
  await page.getByRole('link', { name: 'Transactions' }).click()
  await expect(page.getByText('Not available')).toBeVisible()
  for (let step = 0; step < 3; step++) await page.goBack()
  await expect(heading('Transaction')).toBeVisible()

  await page.goto(`/explorer/local/address/${token}`)
  await expect(heading('Gold')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Transfers' })).toContainText('1.5 GLD')
  await page.goto(`/explorer/local/address/${raffle}`)
  await expect(page.getByText('Contract', { exact: true })).toBeVisible()
  for (const path of ['block/99999999', `tx/0x${'ab'.repeat(32)}`, 'block/nothing', 'nowhere/1'])
    await test.step(path, async () => {
      await page.goto(`/explorer/local/${path}`)
      await expect(page.getByText('Not found', { exact: true })).toBeVisible()
    })
  await page.goto('/explorer/elsewhere')
  await expect(page.getByText('This server has no chain named elsewhere.')).toBeVisible()
  expect(watch.refusals.length).toBeGreaterThan(0)
})

test('explorer pages show slow, refused and rate-limited requests, and recover; new blocks appear automatically', {
  tag: '@both',
}, async ({ page, watch }) => {
  await expectFailures({
    page,
    request: '**/server/chain',
    path: '/explorer',
    waiting: 'Loading chains…',
    isThere: () => expect(page.getByRole('heading', { name: 'Latest blocks' })).toBeVisible(),
  })
  const hash = await chain.call('Token', token, 'mint', [bob, 1n])
  await expectFailures({
    page,
    request: '**/server/chain/*/transactions/*',
    path: `/explorer/local/tx/${hash}`,
    waiting: 'Loading transaction…',
    isThere: () => expect(page.getByText('Success', { exact: true })).toBeVisible(),
  })
  await page.goto('/explorer')
  const newest = page.getByRole('table', { name: 'Latest blocks' }).getByRole('row').nth(1)
  await expect(newest).toContainText('%')
  const minted = await chain.call('Token', token, 'mint', [bob, 1n])
  const { blockNumber } = await chain.ask('eth_getTransactionReceipt', [minted])
  await expect(async () => {
    await page.clock.runFor(13_000)
    await expect(newest).toContainText(Number(blockNumber).toLocaleString('en-GB'), { timeout: 2_000 })
  }).toPass()
  watch.faults.length = 0
})

test('an address whose older blocks are still indexed shows its tokens once they are read, without a reload', async ({
  page,
}) => {
  const carol = `0x${'ca401'.padStart(40, '0')}`
  await chain.call('Token', token, 'mint', [carol, 1_000_000_000_000_000_000n])
  await page.goto(`/explorer/${chain.chainId}/address/${carol}`)
  await expect(page.getByRole('list', { name: 'Transfers' }).getByRole('listitem')).toHaveCount(1)

  // The state of an index that has not come to the token yet.
  let reads = 0
  await page.route(/\/addresses\/\w+\/tokens/, async (route) => {
    const response = await route.fetch()
    const body = await response.json()
    const isEarly = ++reads === 1
    await route.fulfill({ response, json: isEarly ? { ...body, status: 'SYNCING', result: [] } : body })
  })
  await page.goto(`/explorer/${chain.chainId}/address/${carol}?show=tokens`)
  await expect(page.getByText('No tokens')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Tokens' }).getByRole('listitem')).toHaveCount(1, { timeout: 15_000 })
  expect(reads).toBe(2)
  await page.unroute(/\/addresses\/\w+\/tokens/)
})

test('tokens of an address and transfers of a token come with their block, without a reload', {
  tag: '@both',
}, async ({ page }) => {
  const [dave, erin] = ['da5e', 'e41a'].map((end) => `0x${end.padStart(40, '0')}`)
  const silver = await chain.deploy('Token', ['Silver', 'SLV', 18])
  const lists = [
    { path: `address/${silver}`, empty: 'No transfers yet', name: 'Transfers', to: erin },
    { path: `address/${dave}?show=tokens`, empty: 'No tokens', name: 'Tokens', to: dave },
  ]
  for (const { path, empty, name, to } of lists) {
    await page.goto(`/explorer/${chain.chainId}/${path}`)
    await expect(page.getByText(empty)).toBeVisible()
    await chain.call('Token', silver, 'mint', [to, 2_000_000_000_000_000_000n])
    const row = page.getByRole('list', { name }).getByRole('listitem').first()
    await expect(row).toContainText('2 SLV', { timeout: 40_000 })
  }
})
