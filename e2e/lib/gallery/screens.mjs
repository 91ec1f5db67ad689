/** @typedef {import('@playwright/test').Page} Page */
/** @typedef {{ name: string, path: string, signedIn?: boolean, refused?: boolean, act?: (page: Page) => Promise<unknown> }} Screen */

/** The settings of a server that shows all of them. */
export const screenOptions = {
  emailCode: { enabled: true },
  auth: {
    acme: {
      type: 'oidc',
      issuer: 'https://accounts.example.org',
      clientId: 'countersign',
      clientSecret: 'a secret of thirty-two letters or so',
      label: 'Acme',
    },
  },
}

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
      await page.getByLabel('Username or email').fill('nobody')
      await page.getByLabel('Password', { exact: true }).fill('not the password')
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.getByRole('alert').waitFor()
    },
  },
  { name: 'sign-in-code', path: '/sign-in/code' },
  {
    name: 'sign-in-code-sent',
    path: '/sign-in/code',
    act: async (page) => {
      await page.getByLabel('Email').fill('ada@example.org')
      await page.getByRole('button', { name: 'Send code' }).click()
      await page.getByLabel('Code', { exact: true }).waitFor()
    },
  },
  {
    name: 'sign-in-second-step',
    path: '/sign-in',
    act: async (page) => {
      // As the first step leaves it in the history.
      await page.evaluate(() => {
        window.history.replaceState({ usr: { ticket: 'example', passkey: true } }, '', '/sign-in/second-step')
      })
      await page.reload()
      await page.getByRole('heading', { name: 'Second step' }).waitFor()
    },
  },
  { name: 'recover', path: '/recover' },
  { name: 'recover-account', path: '/recover-account?token=example' },
  { name: 'recover-account-incomplete', path: '/recover-account' },
  { name: 'sign-up', path: '/sign-up' },
  {
    name: 'sign-up-errors',
    path: '/sign-up',
    act: async (page) => {
      await page.getByLabel('Email').fill('not an address')
      await page.getByLabel('Password', { exact: true }).fill('abc')
      await page.getByRole('button', { name: 'Create account', exact: true }).click()
    },
  },
  { name: 'forgot', path: '/forgot' },
  {
    name: 'forgot-sent',
    path: '/forgot',
    act: async (page) => {
      await page.getByLabel('Email').fill('ada@example.org')
      await page.getByRole('button', { name: 'Send link' }).click()
      await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    },
  },
  { name: 'reset', path: '/reset?token=example' },
  { name: 'reset-incomplete', path: '/reset' },
  {
    name: 'verify-email',
    refused: true,
    path: '/verify-email?token=example',
    act: (page) => page.getByRole('heading', { name: 'This link doesn’t work' }).waitFor(),
  },
  { name: 'undo-email', path: '/undo-email?token=example' },
  { name: 'outbox', path: '/outbox' },
  { name: 'not-found', path: '/nowhere' },
  {
    name: 'explorer-empty',
    path: '/explorer',
    act: (page) => page.getByText('No chains configured').waitFor(),
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
      await page.getByRole('button', { name: 'Add field' }).click()
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
      await page.getByLabel('Username').fill('taken')
      await page.getByRole('button', { name: 'Save changes' }).click()
      await page.locator('[name="username"][aria-invalid="true"]').waitFor()
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
    act: (page) => page.getByText('No wallets yet').waitFor(),
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
      await page.getByRole('switch', { name: 'Email me about new devices' }).waitFor()
    },
  },
  {
    name: 'security-authenticator',
    path: '/account/security',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('button', { name: 'Set up' }).click()
      await page.getByRole('img', { name: 'QR code for your authenticator app' }).waitFor()
    },
  },
  {
    name: 'security-recovery-codes',
    path: '/account/security',
    signedIn: true,
    act: async (page) => {
      await page.getByRole('button', { name: /^Generate (new )?codes$/ }).click()
      const again = page.getByRole('dialog').getByRole('button', { name: 'Generate new codes' })
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
    act: (page) => page.getByText('This device', { exact: true }).waitFor(),
  },
  {
    name: 'palette',
    path: '/account/wallets',
    signedIn: true,
    act: async (page) => {
      await page.getByText('No wallets yet').waitFor()
      await page.keyboard.press('Control+k')
      await page.getByRole('combobox', { name: 'Search and commands' }).fill('s')
      await page.getByRole('option').first().waitFor()
    },
  },
  {
    name: 'portfolio-empty',
    path: '/account/portfolio',
    signedIn: true,
    act: (page) => page.getByText('Nothing to show yet').waitFor(),
  },
]
