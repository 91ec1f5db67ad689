import { ada } from './createHolder.mjs'

const address = ada.address.toLowerCase()

/**
 * The screens that show what is on a chain, and those of an account with wallets, with something in them.
 *
 * @param {import('./startWorld.mjs').World} world
 * @returns {import('./screens.mjs').Screen[]}
 */
export const listDataScreens = ({ chain, transaction, block, wrapped }) => [
  {
    name: 'portfolio',
    path: '/account/portfolio',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('slider', { name: 'Point in time' }).waitFor()
      await page.getByRole('list', { name: 'Currencies and tokens' }).getByRole('listitem').first().waitFor()
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
    act: (page) => page.getByText('What was signed').first().click(),
  },
  {
    name: 'explorer',
    path: '/explorer',
    act: (page) =>
      page
        .getByText(/^1 transaction, by/)
        .nth(5)
        .waitFor(),
  },
  {
    name: 'explorer-block',
    path: `/explorer/${chain}/block/${block}`,
    act: (page) => page.getByRole('list', { name: 'Transactions' }).getByRole('listitem').first().waitFor(),
  },
  {
    name: 'explorer-transaction',
    path: `/explorer/${chain}/tx/${transaction}`,
    act: (page) => page.getByRole('heading', { name: '1 event' }).waitFor(),
  },
  {
    name: 'explorer-address-transfers',
    path: `/explorer/${chain}/address/${address}`,
    act: (page) => page.getByRole('list', { name: 'Transfers' }).getByText('HRBR').first().waitFor(),
  },
  {
    name: 'explorer-address-transactions',
    path: `/explorer/${chain}/address/${address}?show=transactions`,
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
]
