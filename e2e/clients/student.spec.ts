import { addTestWallet } from '@countersign/react/testing'
import { startChain } from '../lib/servers/startChain.mjs'
import { startNext } from '../lib/servers/startNext.mjs'
import { expect, serveBy, test } from '../lib/test.ts'

const ether = 10n ** 18n
let chain: Awaited<ReturnType<typeof startChain>>
let raffle = ''

// The address that a first contract gets on a fresh chain is in the application, as a deploy script writes it there.
serveBy(async () => {
  chain = await startChain()
  raffle = await chain.deploy('Raffle')
  const app = await startNext('student')
  return { url: app.url, stop: async () => void (await Promise.all([app.stop(), chain.stop()])) }
})

test('a course’s raffle on the older names: connects, reads, writes, reconnects, changes account, disconnects', async ({
  page,
  context,
}) => {
  const wallet = await addTestWallet(context, {
    evm: 'legacy',
    rpcUrl: chain.url,
    chainId: chain.chainId,
    chains: [1, chain.chainId],
  })
  const [first = '', second = ''] = wallet.addresses.map((address) => address.toLowerCase())
  for (const address of [first, second]) await chain.give(address, ether)
  const connected = (address: string) =>
    page.getByText(`Connected to ${address.slice(0, 6)}...${address.slice(-4)}`, { exact: false })
  const click = (name: string) => page.getByRole('button', { name, exact: true }).click()

  await page.goto('/')
  await expect(page.getByText('Please connect a wallet')).toBeVisible()
  expect(wallet.prompts(), 'nothing is asked before a click').toEqual([])
  wallet.rejectNext()
  await click('Connect')
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeEnabled()
  expect(await page.evaluate(() => localStorage.getItem('connected'))).toBeNull()
  await click('Connect')
  await expect(connected(first)).toBeVisible()
  await expect(page.getByText('Entrance fee: 0.01 ETH')).toBeVisible()
  await expect(page.getByText('Number of players: 0')).toBeVisible()
  await expect(page.getByText('Recent winner: 0x0000000000000000000000000000000000000000')).toBeVisible()

  await click('Enter raffle')
  await expect(page.locator('#message')).toHaveText('Transaction complete')
  await expect(page.getByText('Number of players: 1')).toBeVisible()
  expect(BigInt(await chain.ask('eth_getBalance', [raffle, 'latest'])), 'what the chain says').toBe(ether / 100n)
  await click('Show player 0')
  await expect(page.getByText(new RegExp(`Player: ${first}`, 'i'))).toBeVisible()
  wallet.rejectNext()
  await click('Enter raffle')
  await expect(page.locator('#message')).toHaveText(/^Failed: /)
  await expect(page.getByText('Number of players: 1')).toBeVisible()

  wallet.clear()
  await page.reload()
  await expect(connected(first)).toBeVisible()
  await expect(page.getByText('Number of players: 1')).toBeVisible()
  expect(wallet.prompts(), 'nothing is asked on reload').toEqual([])

  await wallet.switchAccount(1)
  await expect(connected(second)).toBeVisible()
  await click('Enter raffle')
  await expect(page.getByText('Number of players: 2')).toBeVisible()
  await click('Next player')
  await click('Show player 1')
  await expect(page.getByText(new RegExp(`Player: ${second}`, 'i'))).toBeVisible()
  await click('Show balance')
  await expect(page.getByText(/Balance: 0\.98\d+ ETH/)).toBeVisible()

  await wallet.switchChain(1)
  await expect(page.getByText('Please switch to a supported chain: 31337')).toBeVisible()
  await wallet.switchChain(chain.chainId)
  await expect(page.getByText('Number of players: 2')).toBeVisible()
  await click('Draw')
  await expect.poll(() => chain.ask('eth_getBalance', [raffle, 'latest'])).toBe('0x0')

  await wallet.revoke()
  await expect(page.getByText('Please connect a wallet')).toBeVisible()
  await expect.poll(() => page.evaluate(() => localStorage.getItem('connected'))).toBeNull()
  await click('Connect')
  await expect(page.getByText(/^Recent winner: 0x(?!0{40})/)).toBeVisible()
  await click('Disconnect')
  await expect(page.getByText('Please connect a wallet')).toBeVisible()
  await page.reload()
  await expect(page.getByText('Please connect a wallet')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Connect', exact: true })).toBeEnabled()
})
