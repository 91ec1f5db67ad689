import { ada, bruno } from '../steps/createHolder.mjs'

const address = ada.address.toLowerCase()
/** Looks like the other wallet once it is shortened. */
const twin = `${bruno.address.slice(0, 8)}${'7'.repeat(28)}${bruno.address.slice(-6)}`.toLowerCase()

/** @typedef {import('@playwright/test').Page} Page */

/**
 * Opens the form for sending; the wallet is connected where it is not yet.
 *
 * @param {Page} page
 * @param {{ to?: string, amount?: string }} [values]
 */
async function fillTransfer(page, { to, amount } = {}) {
  const connect = page.getByRole('button', { name: 'Connect Test Wallet' })
  const recipient = page.getByLabel('Recipient', { exact: true })
  await connect.or(recipient).waitFor()
  if (await connect.isVisible()) await connect.click()
  await recipient.waitFor()
  if (to === undefined || amount === undefined) return
  await recipient.fill(to)
  await page.getByLabel('Amount', { exact: true }).fill(amount)
  await page.getByRole('button', { name: 'Review transfer' }).click()
  await page.getByRole('heading', { name: 'Check this transfer' }).waitFor()
}

/**
 * The screens that show what is on a chain, and those of an account with wallets, with something in them.
 *
 * @param {import('../servers/startWorld.mjs').World} world
 * @returns {import('./screens.mjs').Screen[]}
 */
export const listDataScreens = ({ chain, transaction, block, wrapped }) => [
  {
    name: 'portfolio',
    path: '/account/portfolio',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('slider', { name: 'Point in time' }).waitFor()
      await page.getByRole('list', { name: 'Assets', exact: true }).getByRole('listitem').first().waitFor()
    },
  },
  {
    name: 'portfolio-collectibles',
    path: '/account/portfolio?show=nfts',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('slider', { name: 'Point in time' }).waitFor()
      await page.getByRole('article').locator('img').nth(9).waitFor()
    },
  },
  {
    name: 'portfolio-transfers',
    path: '/account/portfolio?show=transfers',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('slider', { name: 'Point in time' }).waitFor()
      await page.getByRole('list', { name: 'Transfers' }).getByText('HRBR').first().waitFor()
    },
  },
  {
    name: 'portfolio-receive',
    path: '/account/portfolio',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('slider', { name: 'Point in time' }).waitFor()
      await page.getByRole('button', { name: 'Receive' }).click()
      await page.getByRole('img', { name: /QR code/ }).waitFor()
    },
  },
  {
    name: 'wallets',
    path: '/account/wallets',
    signedIn: true,
    act: (page) => page.getByRole('heading', { name: 'Savings' }).waitFor(),
  },
  {
    name: 'sessions-proof',
    path: '/account/sessions',
    signedIn: true,
    act: async (page) => {
      const session = page.getByRole('listitem').filter({ hasText: 'Chrome on Android' })
      await session.getByRole('button', { name: /^Details/ }).click()
      await page.getByRole('region', { name: 'Signed message' }).waitFor()
    },
  },
  {
    name: 'explorer',
    path: '/explorer',
    act: (page) =>
      page.getByRole('table', { name: 'Latest blocks' }).getByText(/%/).nth(5).waitFor({ state: 'attached' }),
  },
  {
    name: 'explorer-block',
    path: `/explorer/${chain}/block/${block}`,
    act: (page) => page.getByRole('list', { name: 'Transactions' }).getByRole('listitem').first().waitFor(),
  },
  {
    name: 'explorer-transaction',
    path: `/explorer/${chain}/tx/${transaction}`,
    act: (page) => page.getByRole('link', { name: '1 event' }).waitFor(),
  },
  {
    name: 'explorer-address-transfers',
    path: `/explorer/${chain}/address/${address}`,
    act: (page) => page.getByRole('list', { name: 'Transfers' }).getByText('HRBR').first().waitFor(),
  },
  {
    name: 'explorer-address-transactions',
    path: `/explorer/${chain}/address/${address}?show=transactions`,
    // Only the owner sees transactions of an address that is indexed because it is linked.
    signedIn: true,
    act: (page) => page.getByRole('list', { name: 'Transactions' }).getByRole('listitem').first().waitFor(),
  },
  {
    name: 'explorer-address-tokens',
    path: `/explorer/${chain}/address/${address}?show=tokens`,
    act: (page) => page.getByRole('list', { name: 'Tokens' }).getByRole('listitem').first().waitFor(),
  },
  {
    name: 'explorer-contract',
    path: `/explorer/${chain}/address/${wrapped}`,
    act: (page) => page.getByText('Contract', { exact: true }).waitFor(),
  },
  {
    name: 'explorer-name',
    path: `/explorer/${chain}/name/bruno.eth`,
    act: async (page) => {
      await page.getByRole('heading', { name: 'bruno.eth', level: 1 }).waitFor()
      await page.getByRole('list', { name: 'Transfers' }).getByText('HRBR').first().waitFor()
    },
  },
  // The last ones: a wallet that is connected shows on other screens too, and what is sent is gone.
  {
    name: 'portfolio-send',
    path: '/account/portfolio/send',
    signedIn: true,
    act: async (page) => {
      await fillTransfer(page)
      await page.getByLabel('Recipient', { exact: true }).fill('dalia.eth')
      await page.getByText(/^0x[0-9a-fA-F]{40}$/).waitFor()
      await page.getByLabel('Amount', { exact: true }).fill('100000')
      await page.getByRole('button', { name: 'Review transfer' }).click()
      await page.locator('[name="amount"][aria-invalid="true"]').waitFor()
    },
  },
  {
    name: 'portfolio-send-review',
    path: '/account/portfolio/send',
    signedIn: true,
    act: (page) => fillTransfer(page, { to: 'dalia.eth', amount: '0.25' }),
  },
  {
    name: 'portfolio-send-lookalike',
    path: '/account/portfolio/send',
    signedIn: true,
    act: (page) => fillTransfer(page, { to: twin, amount: '0.25' }),
  },
  {
    name: 'portfolio-send-progress',
    path: '/account/portfolio/send',
    signedIn: true,
    act: async (page) => {
      await fillTransfer(page, { to: 'dalia.eth', amount: '0.25' })
      await page.getByRole('button', { name: 'Send now' }).click()
      await page.getByText(/^In block/).waitFor()
    },
  },
  {
    name: 'activity-sent',
    path: '/account/activity',
    signedIn: true,
    act: (page) => page.getByRole('region', { name: 'Sent from this browser' }).waitFor(),
  },
]
