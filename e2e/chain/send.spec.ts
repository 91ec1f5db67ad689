import { addTestWallet, type TestWallet } from '@countersign/react/testing'
import type { BrowserContext, Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { labelhash, namehash } from 'viem/ens'
import { listViolations } from '../lib/listViolations.ts'
import { startChain } from '../lib/servers/startChain.mjs'
import { startServer } from '../lib/servers/startServer.mjs'
import { newName } from '../lib/steps/newName.ts'
import { signInByWallet } from '../lib/steps/signInByWallet.mjs'
import { signUp } from '../lib/steps/signUp.ts'
import { expect, serveBy, test } from '../lib/test.ts'

// Many steps each, with a chain, a server and a browser beside each other.
test.describe.configure({ timeout: 150_000 })

const ether = 10n ** 18n
const friend = privateKeyToAddress(generatePrivateKey())
let chain: Awaited<ReturnType<typeof startChain>>
let token = ''
let collectible = ''
let badges = ''

serveBy(async () => {
  chain = await startChain()
  token = await chain.deploy('Token', ['Gold', 'GLD', 6])
  collectible = await chain.deploy('Collectible')
  badges = await chain.deploy('Badges', ['Badges', 'BDG', 'data:application/json,{"name":"Badge"}'])
  const registry = await chain.deploy('NameRegistry')
  const resolver = await chain.deploy('NameResolver')
  const [owner] = await chain.ask('eth_accounts')
  const nobody = `0x${'0'.repeat(64)}`
  const own = (parent: string, label: string) =>
    chain.call('NameRegistry', registry, 'setSubnodeRecord', [parent, labelhash(label), owner, resolver, 0n])
  await own(nobody, 'eth')
  await own(namehash('eth'), 'bruno')
  await chain.call('NameResolver', resolver, 'setAddr', [namehash('bruno.eth'), friend])
  const server = await startServer({
    usePublicNodes: false,
    chains: [
      {
        id: chain.chainId,
        name: 'local',
        rpcUrls: [chain.url],
        headCacheTtl: 0,
        // A block is final once two more are on top of it.
        finality: 2,
        contracts: { ensRegistry: registry },
        index: { mode: 'all', startBlock: 0, transactions: true, pollInterval: 100 },
      },
    ],
  })
  return { url: server.url, stop: async () => void (await Promise.all([server.stop(), chain.stop()])) }
})

/** Signs in by a wallet that has 2 ETH, 10 GLD, a collectible and five badges. */
async function enter(page: Page, context: BrowserContext, chainId = chain.chainId): Promise<TestWallet> {
  const wallet = await addTestWallet(context, { rpcUrl: chain.url, chainId, chains: [1, chain.chainId] })
  const address = wallet.addresses[0] ?? ''
  await chain.give(address, 2n * ether)
  await chain.call('Token', token, 'mint', [address, 10_000_000n])
  await chain.call('Collectible', collectible, 'mint', [address, BigInt(address)])
  await chain.call('Badges', badges, 'mint', [address, 7n, 5n])
  await signInByWallet(page)
  return wallet
}

const field = (page: Page, name: string) => page.getByRole('main').getByLabel(name, { exact: true })
const press = (page: Page, name: string) => page.getByRole('main').getByRole('button', { name, exact: true }).click()

async function fill(page: Page, to: string, amount?: string) {
  await field(page, 'Recipient').fill(to)
  if (amount !== undefined) await field(page, 'Amount').fill(amount)
  await press(page, 'Review transfer')
}

const heading = (page: Page, name: string | RegExp) => page.getByRole('main').getByRole('heading', { level: 2, name })
const sentBy = (wallet: TestWallet) => wallet.requests().filter(({ method }) => method === 'eth_sendTransaction')

test('money to a name: looked up, checked, signed, in a block, final, in activity', {
  tag: ['@both', '@main'],
}, async ({ page, context }) => {
  const wallet = await enter(page, context)
  await page.getByRole('main').getByRole('link', { name: 'Send', exact: true }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Send' })).toBeVisible()
  await expect(page.getByRole('navigation', { name: 'Account' }).locator('[aria-current="page"]:visible')).toHaveText(
    'Portfolio',
  )
  await expect(field(page, 'Asset')).toContainText(/ETH.*local.*2/)
  await field(page, 'Recipient').fill('bruno.eth')
  await expect(page.getByText(friend)).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  // The whole form by keyboard.
  await field(page, 'Amount').fill('0.5')
  await field(page, 'Amount').press('Enter')

  await expect(heading(page, 'Check this transfer')).toBeFocused()
  const main = page.getByRole('main')
  await expect(main).toContainText('0.5 ETH')
  await expect(main).toContainText('bruno.eth')
  await expect(main).toContainText(friend)
  await expect(main).toContainText('First transfer to this address')
  await expect(main).toContainText(/Network fee\s*About 0\.\d+ ETH/)
  expect(await listViolations(page)).toEqual([])
  expect(sentBy(wallet)).toEqual([])

  wallet.hold()
  await press(page, 'Send now')
  await expect(page.getByText('Confirm in your wallet')).toBeVisible()
  await wallet.approve()
  wallet.release()
  await expect(heading(page, 'Sent 0.5 ETH')).toBeFocused()
  await expect(main.getByText(/^In block \d+$/)).toBeVisible()
  await expect(main.getByRole('listitem').filter({ hasText: 'Final' })).toHaveAttribute('aria-current', 'step')
  expect(await listViolations(page)).toEqual([])
  expect(BigInt(await chain.ask('eth_getBalance', [friend, 'latest']))).toBeGreaterThanOrEqual(ether / 2n)

  // It continues where the page was left.
  await page.goto('/account/activity')
  const sent = page.getByRole('region', { name: 'Sent from this browser' })
  await expect(sent.getByRole('listitem')).toContainText('In a block')
  await chain.give(friend, 1n)
  await chain.give(friend, 1n)
  await expect(sent.getByRole('listitem')).toContainText('Final', { timeout: 30_000 })
  expect(await listViolations(page)).toEqual([])
  await sent.getByRole('link', { name: 'Sent 0.5 ETH' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Transaction' })).toBeVisible()

  // The recipient is known from then on.
  await page.goto('/account/portfolio/send')
  await fill(page, friend.toLowerCase(), '0.1')
  await expect(main).toContainText('You’ve sent to this address before, or it’s yours.')
})

test('tokens and collectibles, from their rows', { tag: '@both' }, async ({ page, context, isMobile }) => {
  const wallet = await enter(page, context)
  const address = wallet.addresses[0] ?? ''
  const to = privateKeyToAddress(generatePrivateKey())
  await page.goto('/account/portfolio')
  const rows = page.getByRole('main')
  if (isMobile) {
    // A phone's row has no place for the link: Send stands above the list and asks for the asset.
    await expect(rows.getByText('Gold', { exact: true })).toBeVisible()
    await rows.getByRole('link', { name: 'Send', exact: true }).click()
    await field(page, 'Asset').click()
    await page.getByRole('combobox', { name: 'Search assets' }).fill(token.slice(0, 12))
    await expect(page.getByRole('option')).toHaveCount(1)
    await page.keyboard.press('Enter')
  } else await rows.getByRole('link', { name: 'Send Gold' }).click()
  await expect(field(page, 'Asset')).toContainText(/Gold \(GLD\).*local.*10/)
  await press(page, 'Max')
  await expect(field(page, 'Amount')).toHaveValue('10')
  await fill(page, to, '2.5')
  await expect(heading(page, 'Check this transfer')).toBeVisible()
  await press(page, 'Send now')
  await expect(heading(page, 'Sent 2.5 GLD')).toBeVisible()

  await page.goto('/account/portfolio?show=nfts')
  await page
    .getByRole('article')
    .filter({ hasText: `#${BigInt(address)}` })
    .getByRole('link', { name: /^Send/ })
    .click()
  await expect(field(page, 'Amount')).toHaveCount(0)
  await fill(page, to)
  await press(page, 'Send now')
  await expect(heading(page, /^Sent .*#\d+$/)).toBeVisible()
  await expect(page.getByText(/^In block \d+$/)).toBeVisible()

  await page.goto(`/account/portfolio/send?asset=${encodeURIComponent(`${chain.chainId} ${badges.toLowerCase()} 7`)}`)
  await fill(page, to, '1.5')
  await expect(page.getByText('Enter a whole number.')).toBeVisible()
  await fill(page, to, '6')
  await expect(page.getByText('You have 5.')).toBeVisible()
  await fill(page, to, '3')
  await press(page, 'Send now')
  await expect(heading(page, /^Sent 3 ×/)).toBeVisible()
  await expect(page.getByText(/^In block \d+$/)).toBeVisible()

  const call = async (data: string, at: string) => BigInt(await chain.ask('eth_call', [{ to: at, data }, 'latest']))
  const word = (value: string | bigint) => BigInt(value).toString(16).padStart(64, '0')
  expect(await call(`0x70a08231${word(to)}`, token)).toBe(2_500_000n)
  expect(await call(`0x6352211e${word(address)}`, collectible)).toBe(BigInt(to))
  expect(await call(`0x00fdd58e${word(to)}${word(7n)}`, badges)).toBe(3n)
})

test('shows errors at their fields and keeps the input; a rejection in the wallet sends nothing', {
  tag: '@both',
}, async ({ page, context }) => {
  const wallet = await enter(page, context)
  await page.goto('/account/portfolio/send')
  const refused = async (name: string, text: string | RegExp) => {
    await expect(field(page, name)).toHaveAttribute('aria-invalid', 'true')
    await expect(field(page, name)).toHaveAccessibleDescription(text)
  }
  await press(page, 'Review transfer')
  await refused('Recipient', /Enter an address or a name\./)
  await refused('Amount', /Enter an amount\./)
  await fill(page, 'somebody', '1,5')
  await refused('Recipient', /Enter an address that starts with 0x/)
  await refused('Amount', /without thousands separators/)
  await fill(page, 'nobody.eth', '0.1')
  await refused('Recipient', /No address is set for this name\./)
  // One letter of another case than its checksum asks for.
  const wrong = friend.replace(/[a-f](?=[^a-f]*$)/i, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
  await fill(page, wrong, '0.1')
  await refused('Recipient', /This address has a typo/)
  await fill(page, wallet.addresses[0] ?? '', '0.1')
  await refused('Recipient', /the account you’re sending from/)
  await fill(page, `0x${'0'.repeat(40)}`, '0.1')
  await refused('Recipient', /Nobody owns this address/)

  const to = privateKeyToAddress(generatePrivateKey())
  await fill(page, to, '3')
  await refused('Amount', /You have 2 ETH\./)
  await expect(field(page, 'Recipient')).toHaveValue(to)
  await expect(field(page, 'Amount')).toHaveValue('3')
  // All of it leaves nothing for the fee; what would do is offered.
  await fill(page, to, '2')
  await refused('Amount', /The network fee is about/)
  expect(await listViolations(page)).toEqual([])
  await page.getByRole('button', { name: /^Use 1\.99/ }).click()
  await press(page, 'Review transfer')
  await expect(heading(page, 'Check this transfer')).toBeVisible()
  await press(page, 'Back')
  await expect(field(page, 'Amount')).toHaveValue(/^1\.99/)
  await press(page, 'Max')
  await expect(field(page, 'Amount')).toHaveValue(/^1\.99/)
  await press(page, 'Review transfer')

  wallet.rejectNext()
  await press(page, 'Send now')
  await expect(page.getByText('You declined in your wallet. Nothing was sent.')).toBeVisible()
  await press(page, 'Back')
  await expect(field(page, 'Recipient')).toHaveValue(to)
  await fill(page, to, '0.25')
  await press(page, 'Send now')
  await expect(heading(page, 'Sent 0.25 ETH')).toBeVisible()
  expect(BigInt(await chain.ask('eth_getBalance', [to, 'latest']))).toBe(ether / 4n)

  // A call that the contract would revert is tried before the wallet prompt.
  wallet.clear()
  const asset = `${chain.chainId} ${collectible.toLowerCase()} ${BigInt(wallet.addresses[0] ?? '')}`
  await page.goto(`/account/portfolio/send?asset=${encodeURIComponent(asset)}`)
  await fill(page, token)
  await expect(page.getByRole('alert')).toContainText('This transfer would fail: receiver cannot hold it')
  await fill(page, collectible)
  await refused('Recipient', /the contract of the token itself/)
  expect(wallet.prompts()).toEqual([])
})

test('an address that looks like one that was paid before: both are shown, and nothing is sent without a look', {
  tag: '@both',
}, async ({ page, context }) => {
  const wallet = await enter(page, context)
  const known = privateKeyToAddress(generatePrivateKey())
  await page.goto('/account/portfolio/send')
  await fill(page, known, '0.1')
  await press(page, 'Send now')
  await expect(page.getByText(/^In block \d+$/)).toBeVisible()

  // It comes into the list of transfers by a transfer of nothing, and a hurried person copies it from there.
  const twin = `${known.slice(0, 8).toLowerCase()}${'5'.repeat(28)}${known.slice(-6).toLowerCase()}`
  // Another browser, without the stored transfers, learns it from the chain.
  await page.evaluate(() => localStorage.removeItem('Countersign/sent'))
  await page.goto('/account/portfolio/send')
  await fill(page, twin, '0.1')
  const warning = page.getByRole('alert').filter({ hasText: 'looks like one you know' })
  await expect(warning).toContainText(known)
  const send = page.getByRole('main').getByRole('button', { name: 'Send now' })
  await expect(send).toBeDisabled()
  expect(await listViolations(page)).toEqual([])
  await page.getByLabel('I’ve checked the whole address with its owner').check()
  await expect(send).toBeEnabled()
  await press(page, 'Back')
  await fill(page, known, '0.1')
  await expect(page.getByText('You’ve sent to this address before, or it’s yours.')).toBeVisible()
  expect(sentBy(wallet)).toHaveLength(1)
})

test('a wallet on another chain: offers the switch, shows a rejection, and keeps the input', {
  tag: '@both',
}, async ({ page, context }) => {
  const wallet = await enter(page, context, 1)
  await page.goto('/account/portfolio/send')
  await expect(page.getByText('Your wallet is on Ethereum. This asset is on local.')).toBeVisible()
  await fill(page, friend, '0.1')
  await expect(page.getByRole('alert')).toContainText('Switch your wallet to local first.')
  expect(await listViolations(page)).toEqual([])
  wallet.rejectNext()
  await press(page, 'Switch to local')
  await expect(page.getByText('You declined in your wallet.')).toBeVisible()
  await press(page, 'Switch to local')
  await expect(page.getByText('Your wallet is on Ethereum.')).toBeHidden()
  await expect(field(page, 'Recipient')).toHaveValue(friend)
  await press(page, 'Review transfer')
  await expect(heading(page, 'Check this transfer')).toBeVisible()
  // A check is valid only for its chain and account.
  await wallet.switchChain(1)
  await expect(page.getByText('Your wallet is on Ethereum.')).toBeVisible()
  await expect(field(page, 'Amount')).toHaveValue('0.1')
  await wallet.switchChain(chain.chainId)
  await press(page, 'Review transfer')
  await expect(heading(page, 'Check this transfer')).toBeVisible()
  await wallet.switchAccount(1)
  await expect(page.getByText('Nothing to send')).toBeVisible()
  expect(sentBy(wallet)).toEqual([])
})

test('an asset is found by symbol, contract or id, by keyboard', { tag: '@both' }, async ({ page, context }) => {
  const wallet = await enter(page, context)
  await page.goto('/account/portfolio/send')
  const picker = field(page, 'Asset')
  await expect(picker).toContainText(/ETH.*local.*2/)
  const options = page.getByRole('option')
  const search = page.getByRole('combobox', { name: 'Search assets' })
  await picker.focus()
  await page.keyboard.press('Enter')
  await expect(search).toBeFocused()
  await expect(options).toHaveCount(4)
  expect(await listViolations(page)).toEqual([])
  await search.fill('gld')
  await expect(options).toHaveText([/Gold \(GLD\).*local/])
  await search.fill(collectible)
  await expect(options).toHaveText([/#/])
  await search.fill(`#${BigInt(wallet.addresses[0] ?? '')}`)
  await expect(options).toHaveCount(1)
  await search.fill('nothing like it')
  await expect(page.getByText('No asset found.')).toBeVisible()
  await search.fill(badges.slice(0, 20))
  await expect(options).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(picker).toContainText(/Badge.*5/)
  await expect(picker).toBeFocused()
})

test('without a wallet: one can be connected, and only a wallet sends', { tag: '@both' }, async ({ page, context }) => {
  const wallet = await addTestWallet(context, { rpcUrl: chain.url, chainId: chain.chainId })
  await chain.give(wallet.addresses[0] ?? '', ether)
  await signUp(page, newName())
  await page.goto('/account/portfolio/send')
  await expect(page.getByText('Connect a wallet to send')).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await press(page, 'Connect Test Wallet')
  await expect(field(page, 'Asset')).toContainText(/ETH.*local.*1/)
})

test('the demo wallet starts on the chain of the server, and sends', async ({ page }) => {
  await signInByWallet(page, 'Demo wallet')
  const key = await page.evaluate(() => localStorage.getItem('Countersign/demoWallet'))
  await chain.give(privateKeyToAddress(key as `0x${string}`), 2n * ether)
  await page.goto('/account/portfolio/send')
  await expect(field(page, 'Asset')).toContainText(/ETH.*local.*2/)
  await expect(page.getByText('Your wallet is on')).toHaveCount(0)
  const before = BigInt(await chain.ask('eth_getBalance', [friend, 'latest']))
  await fill(page, friend, '0.5')
  await press(page, 'Send now')
  await expect.poll(async () => BigInt(await chain.ask('eth_getBalance', [friend, 'latest'])) - before).toBe(ether / 2n)
})
