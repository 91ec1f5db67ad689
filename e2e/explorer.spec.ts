import { AxeBuilder } from '@axe-core/playwright'
import { startChain } from './lib/startChain.mjs'
import { startServer } from './lib/startServer.mjs'
import { expect, serveBy, test } from './lib/test.ts'

const bob = `0x${'b0b'.padStart(40, '0')}`
let chain: Awaited<ReturnType<typeof startChain>>
let raffle = ''
let token = ''

serveBy(async () => {
  chain = await startChain()
  raffle = await chain.deploy('Raffle')
  token = await chain.deploy('Token', ['Gold', 'GLD', 18])
  const server = await startServer({
    chains: [
      { id: chain.chainId, name: 'local', rpcUrls: [chain.url], headAge: 0, index: { mode: 'all', startBlock: 0 } },
    ],
  })
  return { url: server.url, stop: async () => void (await Promise.all([server.stop(), chain.stop()])) }
})

test('from the search box to a block, a transaction in words, an address, and back', async ({ page, watch }) => {
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
  await expect(page.getByRole('alert')).toContainText('That is none of these')
  await search(String(block))
  await expect(heading(`Block ${block}`)).toBeVisible()
  await expect(page).toHaveURL(`/explorer/${chain.chainId}/block/${block}`)
  await page.getByRole('list', { name: 'Transactions' }).getByRole('link').first().click()
  await expect(heading('Transaction')).toBeVisible()
  await expect(page).toHaveURL(`/explorer/${chain.chainId}/tx/${hash}`)
  await expect(page.getByText('Done', { exact: true })).toBeVisible()
  await expect(page.getByText('Transfer(address,address,uint256)')).toBeVisible()
  await expect(page.getByText('1.5 GLD')).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])

  await page.getByRole('link', { name: bob }).click()
  await expect(heading(/^Address 0x0000/)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Transfers' })).toContainText('+1.5 GLD')
  await page.getByRole('link', { name: 'Tokens' }).click()
  await expect(page.getByRole('list', { name: 'Tokens' })).toContainText('1.5 GLD')
  await page.getByRole('link', { name: 'Transactions' }).click()
  await expect(page.getByText('Not available here')).toBeVisible()
  for (let step = 0; step < 3; step++) await page.goBack()
  await expect(heading('Transaction')).toBeVisible()

  await page.goto(`/explorer/local/address/${raffle}`)
  await expect(page.getByText('Contract', { exact: true })).toBeVisible()
  for (const path of ['block/99999999', `tx/0x${'ab'.repeat(32)}`, 'block/nothing', 'nowhere/1'])
    await test.step(path, async () => {
      await page.goto(`/explorer/local/${path}`)
      await expect(page.getByText('Not found', { exact: true })).toBeVisible()
    })
  await page.goto('/explorer/elsewhere')
  await expect(page.getByText('This server reads no chain that is called elsewhere.')).toBeVisible()
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto(`/explorer/local/tx/${hash}`)
  await expect(page.getByText('1.5 GLD')).toBeVisible()
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0)
  expect(watch.refusals.length).toBeGreaterThan(0)
})
