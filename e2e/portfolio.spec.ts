import { AxeBuilder } from '@axe-core/playwright'
import { addTestWallet } from '@countersign/react/testing'
import { signInByWallet } from './lib/signInByWallet.mjs'
import { startChain } from './lib/startChain.mjs'
import { startServer } from './lib/startServer.mjs'
import { expect, serveBy, test } from './lib/test.ts'

const ether = 10n ** 18n
let chain: Awaited<ReturnType<typeof startChain>>
let token = ''
let pictures = ''

serveBy(async () => {
  chain = await startChain()
  token = await chain.deploy('Token', ['Gold', 'GLD', 18])
  pictures = await chain.deploy('Pictures', ['Pictures', 'PIC'])
  const server = await startServer({
    chains: [
      { id: chain.chainId, name: 'local', rpcUrls: [chain.url], headAge: 0, index: { mode: 'all', startBlock: 0 } },
    ],
  })
  return { url: server.url, stop: async () => void (await Promise.all([server.stop(), chain.stop()])) }
})

test('what a wallet holds, with every digit; transfers come by themselves; an address to be paid at', async ({
  page,
  context,
}) => {
  const wallet = await addTestWallet(context, { rpcUrl: chain.url, chainId: chain.chainId })
  const address = (wallet.addresses[0] ?? '').toLowerCase()
  await chain.give(address, 2n * ether + 1n)
  await chain.call('Token', token, 'mint', [address, 1_234_567_890_123_456_789_012n])
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="teal"/></svg>'
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  await chain.call('Pictures', pictures, 'mint', [
    address,
    7n,
    JSON.stringify({ name: 'Seven', image, attributes: [{ trait_type: 'hour', value: 'noon' }] }),
  ])

  await signInByWallet(page)
  await page.goto('/account/portfolio')
  const assets = page.getByRole('list', { name: 'Currencies and tokens' })
  await expect(assets.getByText('2.000000000000000001 ETH')).toBeVisible()
  await expect(assets.getByText('1,234.567890123456789012 GLD')).toBeVisible()
  await expect(assets.getByText('Value unknown')).toHaveCount(2)
  await expect(page.getByRole('region', { name: 'Value in all' })).toContainText('Unknown')
  await expect(page.getByRole('region', { name: 'Value in all' })).toContainText(
    /local: block \d+, .*read from the node/,
  )

  await page.getByRole('link', { name: 'Collectibles' }).click()
  const picture = page.getByRole('article').filter({ hasText: 'Seven' }).locator('img')
  await expect(picture).toBeVisible({ timeout: 15_000 })
  await expect.poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)

  await page.getByRole('link', { name: 'Transfers' }).click()
  const transfers = page.getByRole('list', { name: 'Transfers' })
  await expect(transfers.getByRole('listitem')).toHaveCount(2)
  await chain.call('Token', token, 'mint', [address, 5n])
  await expect(transfers.getByText('+0.000000000000000005 GLD')).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(assets.getByText('1,234.567890123456789017 GLD')).toBeVisible()

  await page.getByRole('button', { name: 'Receive' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expect(dialog.getByText(new RegExp(address, 'i'))).toBeVisible()
  await page.keyboard.press('Escape')

  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  await page.setViewportSize({ width: 360, height: 740 })
  expect(
    await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
  ).toBeLessThanOrEqual(0)
})
