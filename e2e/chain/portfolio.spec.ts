import { addTestWallet } from '@countersign/react/testing'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expectFailures } from '../lib/failures.ts'
import { listViolations } from '../lib/listViolations.ts'
import { startChain } from '../lib/servers/startChain.mjs'
import { startServer } from '../lib/servers/startServer.mjs'
import { linkWallet } from '../lib/steps/linkWallet.mjs'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { signIn } from '../lib/steps/signIn.mjs'
import { signInByWallet } from '../lib/steps/signInByWallet.mjs'
import { expect, serveBy, test } from '../lib/test.ts'

const ether = 10n ** 18n
let chain: Awaited<ReturnType<typeof startChain>>
let token = ''
let pictures = ''

serveBy(async () => {
  chain = await startChain()
  token = await chain.deploy('Token', ['Gold', 'GLD', 18])
  pictures = await chain.deploy('Pictures', ['Pictures', 'PIC'])
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

test('shows holdings in six digits and in full; new transfers appear; an address to receive at', {
  tag: ['@both', '@main'],
}, async ({ page, context }) => {
  const wallet = await addTestWallet(context, { rpcUrl: chain.url, chainId: chain.chainId })
  const address = (wallet.addresses[0] ?? '').toLowerCase()
  await chain.give(address, 2n * ether + 1n)
  await chain.call('Token', token, 'mint', [address, 1_234_567_890_123_456_789_012n])
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><rect width="1" height="1" fill="teal"/></svg>'
  const image = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`
  await chain.call('Pictures', pictures, 'mint', [
    address,
    BigInt(address),
    JSON.stringify({ name: 'Seven', image, attributes: [{ trait_type: 'hour', value: 'noon' }] }),
  ])

  await signInByWallet(page)
  await page.goto('/account/portfolio')
  const assets = page.getByRole('list', { name: 'Assets', exact: true })
  await expect(assets.getByText('2 ETH', { exact: true })).toBeVisible()
  await assets.getByRole('button', { name: '2 ETH' }).click()
  await expect(assets.getByText('2.000000000000000001 ETH')).toBeVisible()
  await expect(assets.getByText('1,234.56 GLD')).toBeVisible()
  await expect(assets.locator('[title="1,234.567890123456789012 GLD"]')).toBeVisible()
  await expect(assets.getByText('Value unknown')).toHaveCount(2)
  await expect(page.getByRole('region', { name: 'Total value' })).toContainText('Unknown')
  await expect(page.getByRole('region', { name: 'Total value' })).toContainText(
    /local: block \d+, .*read from the node/,
  )

  await page.getByRole('link', { name: 'NFTs' }).click()
  const picture = page.getByRole('article').filter({ hasText: 'Seven' }).locator('img')
  await expect(picture).toBeVisible({ timeout: 15_000 })
  await expect.poll(() => picture.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)

  await page.getByRole('link', { name: 'Transfers' }).click()
  const transfers = page.getByRole('list', { name: 'Transfers' })
  await expect(transfers.getByRole('listitem')).toHaveCount(2)
  await chain.call('Token', token, 'mint', [address, 5n])
  await expect(transfers.getByText('Received 0.000000000000000005 GLD')).toBeVisible()
  await chain.call('Token', token, 'transfer', [address, 0n])
  await expect(transfers.getByText('Nothing was transferred.')).toBeVisible()
  await page.goBack()
  await page.goBack()
  await expect(assets.locator('[title="1,234.567890123456789017 GLD"]')).toBeVisible()

  await page.getByRole('button', { name: 'Receive' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: /QR code/ })).toBeVisible()
  await expect(dialog.getByText(new RegExp(address, 'i'))).toBeVisible()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await dialog.getByRole('button', { name: 'Copy address' }).click()
  await expect(dialog.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect((await page.evaluate(() => navigator.clipboard.readText())).toLowerCase()).toBe(address)
  await page.keyboard.press('Escape')

  expect(await listViolations(page)).toEqual([])
})

test('slow, refused, rate-limited: the portfolio says so, and can be had again; a node that is down is named', {
  tag: '@both',
}, async ({ page, api, watch }) => {
  const username = newName()
  const { sessionToken } = await api.signUp({ username, password })
  await linkWallet(api, privateKeyToAccount(generatePrivateKey()), { token: sessionToken, chainId: chain.chainId })
  await signIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
  await expectFailures({
    page,
    request: '**/server/portfolio/*',
    path: '/account/portfolio',
    waiting: 'Loading your portfolio…',
    isThere: () => expect(page.getByRole('list', { name: 'Assets', exact: true })).toContainText('0 ETH'),
  })
  await expectFailures({
    page,
    request: '**/server/chain/*/addresses/*/transfers*',
    path: '/account/portfolio?show=transfers',
    waiting: 'Loading your transfers…',
    isThere: () => expect(page.getByText('No transfers yet')).toBeVisible(),
  })
  await page.goto('/account/portfolio?show=nfts')
  await expect(page.getByText('No NFTs yet')).toBeVisible()

  const { chainId: id } = chain
  await page.route('**/server/portfolio/*', async (route) => {
    const { address } = await (await route.fetch()).json()
    const error = 'No node of this chain is responding. Try again later.'
    await route.fulfill({ json: { address, chains: [{ chain: id, name: 'local', error }] } })
  })
  await page.goto('/account/portfolio')
  await expect(page.getByText('local isn’t available right now')).toBeVisible()
  await expect(page.getByText('No node of this chain is responding.')).toBeVisible()
  watch.faults.length = 0
})

test('a wallet of Solana: where no node of it is configured, a sentence says so', async ({ page, context }) => {
  const wallet = await addTestWallet(context, { name: 'Phantom', evm: 'none', solana: 'signIn' })
  await signInByWallet(page, 'Phantom')
  await page.goto('/account/portfolio')
  await expect(
    page.getByText('This server has no Solana node, so this wallet’s balances aren’t available.'),
  ).toBeVisible()
  await page.getByRole('button', { name: 'Receive' }).click()
  await expect(page.getByRole('dialog')).toContainText(wallet.solanaAddresses[0] ?? 'none')
  await page.keyboard.press('Escape')

  await page.route('**/server/solana/mainnet/addresses/*/portfolio', (route) =>
    route.fulfill({
      json: {
        nativeBalance: { solana: '1.000000001', lamports: '1000000001' },
        tokens: [
          {
            associatedTokenAddress: '1'.repeat(32),
            mint: '1'.repeat(32),
            name: 'Sand',
            symbol: 'SND',
            amount: '90071992547409.93',
            amountRaw: '9007199254740993',
            decimals: 2,
          },
        ],
        nfts: [],
        slot: 250_000_000,
        source: 'node',
      },
    }),
  )
  await page.reload()
  const held = page.getByRole('list', { name: 'Solana assets' })
  await expect(held).toContainText('1 SOL')
  await expect(held.locator('[title="1.000000001 SOL"]')).toBeVisible()
  await expect(held).toContainText('90,071,992,547,409 SND')
  await expect(page.getByText('Solana slot 250,000,000.')).toBeVisible()
})
