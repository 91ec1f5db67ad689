/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {{ name: string, path: string, signedIn?: boolean, refused?: boolean, act?: (page: Page) => Promise<unknown> }} Screen */

/**
 * Every screen in every state that can be opened at will: what is photographed, and what the quality tests look at.
 *
 * @type {Screen[]}
 */
export const screens = [
  { name: 'home-visitor', path: '/' },
  { name: 'sign-in', path: '/sign-in' },
  {
    name: 'sign-in-refused',
    refused: true,
    path: '/sign-in',
    act: async (page) => {
      await page.getByLabel('User name or e-mail').fill('nobody')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'recover', path: '/recover' },
  { name: 'sign-up', path: '/sign-up' },
  {
    name: 'sign-up-errors',
    path: '/sign-up',
    act: async (page) => {
      await page.getByLabel('E-mail').fill('not an address')
      await page.getByLabel('Password', { exact: true }).fill('abc')
      await page.getByRole('button', { name: 'Create account', exact: true }).click()
    },
  },
  { name: 'forgot', path: '/forgot' },
  {
    name: 'forgot-sent',
    path: '/forgot',
    act: async (page) => {
      await page.getByLabel('E-mail').fill('ada@example.org')
      await page.getByRole('button', { name: 'Send the link' }).click()
      await page.getByText('A link is on its way').waitFor()
    },
  },
  { name: 'reset', path: '/reset?token=example' },
  { name: 'reset-incomplete', path: '/reset' },
  {
    name: 'verify-email',
    refused: true,
    path: '/verify-email?token=example',
    act: (page) => page.getByRole('heading', { name: 'This link does not work' }).waitFor(),
  },
  { name: 'undo-email', path: '/undo-email?token=example' },
  { name: 'outbox', path: '/outbox' },
  { name: 'not-found', path: '/nowhere' },
  {
    name: 'explorer-empty',
    path: '/explorer',
    act: (page) => page.getByText('No chain is configured').waitFor(),
  },
  {
    name: 'palette-visitor',
    path: '/',
    act: async (page) => {
      await page.getByRole('button', { name: 'Search and commands' }).click()
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'keys',
    path: '/',
    act: async (page) => {
      await page.keyboard.press('?')
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    },
  },
  { name: 'home', path: '/', signedIn: true },
  {
    name: 'home-menu',
    path: '/',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('banner').getByRole('button').last().click()
      await page.getByRole('menu').waitFor()
    },
  },
  { name: 'profile', path: '/account/profile', signedIn: true },
  {
    name: 'profile-editing',
    path: '/account/profile',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('button', { name: 'Add a field' }).click()
      await page.getByLabel('Name', { exact: true }).fill('1st')
      await page.getByRole('button', { name: 'Save changes' }).click()
    },
  },
  {
    name: 'profile-refused',
    refused: true,
    path: '/account/profile',
    signedIn: true,
    act: async (page) => {
      await page.getByLabel('User name').fill('taken')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  {
    name: 'profile-delete',
    path: '/account/profile',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('button', { name: 'Delete account…' }).click()
      await page.getByRole('dialog').waitFor()
    },
  },
  {
    name: 'wallets-empty',
    path: '/account/wallets',
    signedIn: true,
    act: (page) => page.getByText('No wallet yet').waitFor(),
  },
  {
    name: 'sessions',
    path: '/account/sessions',
    signedIn: true,
    act: (page) => page.getByText('This device', { exact: true }).waitFor(),
  },
  {
    name: 'security',
    path: '/account/security',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('button', { name: 'Change password' }).waitFor()
      await page.getByRole('switch', { name: 'Tell me of new devices' }).waitFor()
    },
  },
  {
    name: 'security-recovery-codes',
    path: '/account/security',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('button', { name: /^Make (new )?codes$/ }).click()
      const again = page.getByRole('dialog').getByRole('button', { name: 'Make new codes' })
      await page.getByRole('dialog').waitFor()
      if (await again.isVisible()) await again.click()
      await page.getByRole('list', { name: 'Recovery codes' }).waitFor()
    },
  },
  {
    name: 'welcome',
    path: '/welcome',
    signedIn: true,
    act: (page) => page.getByRole('button', { name: 'Link a wallet' }).waitFor(),
  },
  {
    name: 'activity',
    path: '/account/activity',
    signedIn: true,
    act: (page) => page.getByText('This session', { exact: true }).waitFor(),
  },
  {
    name: 'palette',
    path: '/account/wallets',
    signedIn: true,
    act: async (page) => {
      await page.getByText('No wallet yet').waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search and commands' }).fill('s')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'portfolio-empty',
    path: '/account/portfolio',
    signedIn: true,
    act: (page) => page.getByText('No wallet yet').waitFor(),
  },
]
