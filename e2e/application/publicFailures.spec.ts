import type { Page, Route } from '@playwright/test'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { expect, serve, test } from '../lib/test.ts'

serve()

type Form = {
  path: string
  request: string
  send: string
  fill: (page: Page) => Promise<void>
  /** Giving up on a connection takes seconds: seen on the forms that people meet first. */
  cut?: boolean
}

/** The forms of the screens before the account, filled in well enough to be sent. */
const forms: Form[] = [
  {
    path: '/sign-in',
    request: '**/server/login',
    send: 'Sign in',
    cut: true,
    fill: async (page) => {
      await page.getByLabel('Username or email').fill('ada')
      await page.getByLabel('Password', { exact: true }).fill(password)
    },
  },
  {
    path: '/sign-up',
    request: '**/server/users',
    send: 'Create account',
    cut: true,
    fill: async (page) => {
      await page.getByLabel('Username').fill(newName())
      await page.getByLabel('Password', { exact: true }).fill(password)
    },
  },
  {
    path: '/forgot',
    request: '**/server/requestPasswordReset',
    send: 'Send link',
    fill: (page) => page.getByLabel('Email').fill('ada@example.org'),
  },
  {
    path: '/reset?token=example',
    request: '**/server/resetPassword',
    send: 'Change password',
    fill: (page) => page.getByLabel('New password', { exact: true }).fill(password),
  },
  {
    path: '/recover',
    request: '**/server/auth/signInWithRecoveryCode',
    send: 'Sign in',
    fill: async (page) => {
      await page.getByLabel('Username or email').fill('ada')
      await page.getByLabel('Recovery code', { exact: true }).fill('abcd-efgh-ijkl-mnop')
    },
  },
]

const limited = (route: Route) =>
  route.fulfill({
    status: 429,
    headers: { 'Retry-After': '600' },
    json: { code: 155, error: 'Too many requests.' },
  })

for (const { path, request, send, fill, cut = false } of forms)
  test(`${path}: ${cut ? 'no connection, ' : ''}rate limit, and a slow response`, { tag: '@both' }, async ({
    page,
    watch,
  }) => {
    await page.clock.install()
    await page.goto(path)
    const main = page.getByRole('main')
    const button = main.getByRole('button', { name: send, exact: true })
    await fill(page)

    if (cut) {
      await page.route(request, (route) => route.abort('internetdisconnected'))
      await button.click()
      await expect(main.getByRole('alert')).toContainText('The server can’t be reached.')
      await page.unroute(request)
    }

    await page.route(request, limited)
    await button.click()
    await expect(main.getByRole('alert')).toContainText('Too many requests.')
    await expect(main.getByRole('alert')).toContainText(/You can try again in \d+ s\./)
    await expect(button).toBeDisabled()
    await page.unroute(request)
    await page.clock.fastForward(600_000)
    await expect(main.getByRole('alert')).toContainText('You can try again now.')

    let asked = 0
    await page.route(request, async () => {
      asked += 1
      // Left pending: the form waits.
    })
    await button.click()
    await expect(button).toHaveAttribute('aria-busy', 'true')
    await button.click({ force: true })
    expect(asked).toBe(1)
    // Typed text is still there.
    for (const field of await main.locator('input:not([type="radio"])').all())
      if (await field.getAttribute('required')) expect(await field.inputValue()).not.toBe('')
    watch.faults.length = 0
  })

test('a link to verify an address: broken, used up, cut off and too often', { tag: '@both' }, async ({
  page,
  watch,
}) => {
  const heading = (name: string) => expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await page.clock.install()
  await page.goto('/verify-email')
  await heading('This link is incomplete')
  await page.goto('/verify-email?token=example')
  await heading('This link doesn’t work')
  await expect(page.getByRole('alert')).toContainText('This link has expired or was already used.')
  await expect(page.getByRole('main').getByRole('link', { name: 'Sign in' })).toBeVisible()

  const request = '**/server/verifyEmail'
  await page.route(request, (route) => route.abort('internetdisconnected'))
  await page.goto('/verify-email?token=other')
  await heading('Not verified yet')
  await expect(page.getByRole('alert')).toContainText('The server can’t be reached.')
  await page.unroute(request)
  await page.route(request, limited)
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('alert')).toContainText('Too many requests.')
  await page.unroute(request)
  await page.clock.fastForward(600_000)
  await page.getByRole('button', { name: 'Try again', exact: true }).click()
  await heading('This link doesn’t work')
  watch.faults.length = 0
})

test('the outbox: slow, cut off, and there again with the connection', { tag: '@both' }, async ({
  page,
  context,
  watch,
}) => {
  const request = '**/server/outbox*'
  await page.route(request, (route) => route.abort('internetdisconnected'))
  await page.goto('/outbox')
  await expect(page.getByRole('alert')).toContainText('The outbox could not be loaded')
  await context.setOffline(true)
  await expect(page.getByText('You’re offline. Data may be out of date')).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('Missing data will load')
  await page.unroute(request)
  await context.setOffline(false)
  await expect(page.getByText('No emails yet')).toBeVisible()
  watch.faults.length = 0
})

test('reports a screen whose code cannot be loaded, and a retry loads it', { tag: '@both' }, async ({
  page,
  watch,
}) => {
  await page.goto('/')
  await page.route('**/assets/SignUp-*.js', (route) => route.abort('internetdisconnected'))
  await page.getByRole('main').getByRole('link', { name: 'Create your account' }).click()
  await expect(page.getByRole('heading', { name: 'This page can’t start yet' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveText('The server can’t be reached. Check your connection and try again.')
  await page.unroute('**/assets/SignUp-*.js')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
  watch.faults.length = 0
})

test('a page from before a release, whose code is gone, reloads itself', async ({ page, watch }) => {
  await page.goto('/')
  let misses = 0
  await page.route(
    '**/assets/SignUp-*.js',
    (route) => {
      misses++
      return route.fulfill({ status: 404 })
    },
    { times: 1 },
  )
  await page.getByRole('main').getByRole('link', { name: 'Create your account' }).click()
  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeVisible()
  expect(misses).toBe(1)
  watch.faults.length = 0
})
