import { addTestWallet, type WalletFixtures, walletFixtures } from '@countersign/react/testing'
import { test as base, expect, type Page } from '@playwright/test'

const test = base.extend<WalletFixtures>(walletFixtures)
test.use({ walletOptions: { solana: 'signIn' } })

/** A page with nothing in it but the wallets. `names` are those that announced themselves. */
async function open(page: Page) {
  await page.route('http://app.test/**', (route) => route.fulfill({ contentType: 'text/html', body: '<h1>App</h1>' }))
  await page.addInitScript(`
    window.wallets = new Map()
    window.solana = []
    window.addEventListener('eip6963:announceProvider', ({ detail }) => window.wallets.set(detail.info.name, detail.provider))
    const api = { register: (...list) => window.solana.push(...list) }
    window.addEventListener('wallet-standard:register-wallet', ({ detail }) => detail(api))
    window.ask = (method, params) => window.wallets.get('Test Wallet').request({ method, params }).catch(({ code }) => code)`)
  await page.goto('http://app.test/')
  await expect.poll(() => page.evaluate('window.wallets.size')).toBeGreaterThan(0)
}

test('permission, reload and events', async ({ page, wallet }) => {
  await open(page)
  const first = wallet.addresses[0]?.toLowerCase()
  const second = wallet.addresses[1]?.toLowerCase()
  expect(await page.evaluate("ask('eth_accounts')")).toEqual([])
  wallet.rejectNext()
  expect(await page.evaluate("ask('eth_requestAccounts')")).toBe(4001)
  expect(await page.evaluate("ask('eth_requestAccounts')")).toEqual([first, second])
  await page.reload()
  await expect.poll(() => page.evaluate('window.wallets.size')).toBe(1)
  expect(await page.evaluate("ask('eth_accounts')")).toEqual([first, second])
  await page.evaluate("window.wallets.get('Test Wallet').on('accountsChanged', (list) => { window.heard = list })")
  await wallet.switchAccount(1)
  expect(await page.evaluate('window.heard')).toEqual([second, first])
  expect(await page.evaluate("ask('wallet_switchEthereumChain', [{ chainId: '0x2105' }])")).toBe(4902)
  expect(wallet.prompts().map(({ method }) => method)).toEqual(['eth_requestAccounts', 'eth_requestAccounts'])
})

test('an open prompt, a second request during it, and a locked wallet', async ({ page, wallet }) => {
  await open(page)
  wallet.hold()
  const asked = page.evaluate("ask('eth_requestAccounts')")
  await expect.poll(() => wallet.prompts().length).toBe(1)
  expect(await page.evaluate("ask('eth_requestAccounts')")).toBe(-32002)
  await wallet.approve()
  expect(await asked).toHaveLength(2)
  wallet.release()
  await wallet.lock()
  expect(await page.evaluate("ask('eth_accounts')")).toEqual([])
})

test('a second wallet that comes late, and Wallet Standard', async ({ page, context, wallet }) => {
  const late = await addTestWallet(context, { name: 'Late', rdns: 'org.example.late', announce: 'later' })
  await open(page)
  expect(await page.evaluate('[...window.wallets.keys()]')).toEqual(['Test Wallet'])
  await late.announce()
  expect(await page.evaluate('[...window.wallets.keys()]')).toEqual(['Test Wallet', 'Late'])
  const input = { domain: 'app.test', uri: 'http://app.test', version: '1', nonce: '12345678' }
  const signIn = `window.solana[0].features['solana:signIn'].signIn(${JSON.stringify(input)})`
  const address = await page.evaluate(`${signIn}.then(([signed]) => signed.account.address)`)
  expect(address).toBe(wallet.solanaAddresses[0])
  expect(wallet.signed()[0]).toContain(`app.test wants you to sign in with your Solana account:\n${address}\n`)
})
