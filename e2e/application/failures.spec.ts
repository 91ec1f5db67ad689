import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { signIn } from '../lib/steps/signIn.mjs'
import { signUp } from '../lib/steps/signUp.ts'
import { expect, moveServerClock, serve, test } from '../lib/test.ts'

// Longer than any machine takes for a few tries: the clocks are moved to its end.
const window = 10 * 60_000

serve({
  rateLimit: [
    {
      requestPath: '/login',
      requestTimeWindow: window,
      requestCount: 2,
      includeInternalRequests: true,
      errorResponseMessage: 'Too many tries.',
    },
  ],
})

test('R23: a rate-limited sign-in counts down and then continues', { tag: '@both' }, async ({ page, api }) => {
  const username = newName()
  await api.signUp({ username, password })
  await page.clock.install()
  await page.goto('/sign-in')
  const submit = page.getByRole('button', { name: 'Sign in', exact: true })
  for (let tries = 0; tries < 3; tries++) {
    await signIn(page, username, 'not the password')
    await expect(page.getByRole('alert')).toBeVisible()
    await expect(submit).not.toHaveAttribute('aria-busy')
  }
  await expect(page.getByRole('alert')).toContainText('Too many tries.')
  await expect(page.getByRole('alert')).toContainText(/You can try again in \d+ s\./)
  await expect(submit).toBeDisabled()
  await moveServerClock(window)
  await page.clock.fastForward(window)
  await expect(page.getByRole('alert')).toContainText('You can try again now.')
  await page.getByLabel('Password', { exact: true }).fill(password)
  await submit.click()
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
})

test('R2: a start that fails says why, and can be tried again', { tag: ['@both', '@main'] }, async ({
  page,
  watch,
}) => {
  await page.route('**/config.json', (route) => route.fulfill({ status: 503, body: 'not yet' }))
  await page.goto('/account/profile')
  await expect(page.getByRole('heading', { name: 'This page can’t start yet' })).toBeVisible()
  await expect(page.getByRole('alert')).toContainText('503')
  watch.faults.length = 0
  await page.unroute('**/config.json')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible()
})

test('a banner shows a lost connection', async ({ page, context }) => {
  await signUp(page, newName())
  await context.setOffline(true)
  await expect(page.getByText('You’re offline.')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByText('You’re offline.')).toBeHidden()
})

test('a button that waits keeps its width and takes no second press', async ({ page }) => {
  let requests = 0
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/server/users', async (route) => {
    requests += 1
    await held
    await route.continue()
  })
  await page.goto('/sign-up')
  await page.getByLabel('Username').fill(newName())
  await page.getByLabel('Password', { exact: true }).fill(password)
  const button = page.getByRole('button', { name: 'Create account', exact: true })
  // The position depends on the rest of the page, which may still be loading.
  const measure = async () => {
    const { width, height } = (await button.boundingBox()) ?? {}
    return { width, height }
  }
  const before = await measure()
  await button.click()
  await expect(button).toHaveAttribute('aria-busy', 'true')
  expect(await measure()).toEqual(before)
  await page.getByLabel('Username').press('Enter')
  release()
  await expect(page.getByRole('heading', { name: 'Set up your account' })).toBeVisible()
  expect(requests).toBe(1)
})

test('toasts stay while they are held', async ({ page }) => {
  await page.clock.install()
  await enter(page, newName())
  await page.goto('/')
  await page.getByRole('heading', { name: /^Hello/ }).waitFor()
  await page.getByRole('banner').getByRole('button').last().click()
  const signOut = page.getByRole('menuitem', { name: 'Sign out' })
  await signOut.waitFor()
  // From here on the page's time stands still, but for what the test lets pass.
  await page.clock.pauseAt(Date.now() + 60_000)
  await signOut.click()
  const toast = page.getByText('You’re signed out.')
  await expect(toast).toBeVisible()
  await page.clock.runFor(7900)
  await expect(toast).toBeVisible()
  await toast.hover()
  await page.clock.runFor(60_000)
  await expect(toast).toBeVisible()
  await page.mouse.move(0, 0)
  await page.clock.runFor(7900)
  await expect(toast).toBeVisible()
  await page.clock.runFor(200)
  await expect(toast).toBeHidden()
})

const lists = [
  {
    path: '/account/wallets',
    request: '**/server/auth/signInMethods',
    waiting: 'Loading your wallets…',
    there: 'No wallets yet',
  },
  {
    path: '/account/sessions',
    request: '**/server/sessions*',
    waiting: 'Loading your sessions…',
    there: 'No other sessions',
  },
]
for (const { path, request, waiting, there } of lists) {
  test(`slow: ${path} shows a placeholder`, async ({ page }) => {
    await signUp(page, newName())
    let release = () => {}
    const held = new Promise<void>((resolve) => {
      release = resolve
    })
    await page.route(request, async (route) => {
      await held
      await route.continue()
    })
    await page.goto(path)
    await expect(page.getByText(waiting)).toBeAttached()
    release()
    await expect(page.getByText(there)).toBeVisible()
    await expect(page.getByText(waiting)).toBeHidden()
  })

  test(`R23: rate-limited: ${path} counts down, and can then be read`, async ({ page }) => {
    await signUp(page, newName())
    await page.route(request, (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '600' },
        json: { code: 155, error: 'Too many requests.' },
      }),
    )
    await page.clock.install()
    await page.goto(path)
    await expect(page.getByRole('alert')).toContainText('Too many requests.')
    await expect(page.getByRole('button', { name: /^Try again in \d+ s$/ })).toBeDisabled()
    await page.unroute(request)
    await page.clock.fastForward(600_000)
    await page.getByRole('button', { name: 'Try again', exact: true }).click()
    await expect(page.getByText(there)).toBeVisible()
  })

  test(`offline: ${path} says so, and loads when the connection is back`, async ({ page, context, watch }) => {
    await signUp(page, newName())
    let cut = () => {}
    const held = new Promise<void>((resolve) => {
      cut = resolve
    })
    await page.route(request, async (route) => {
      await held
      await route.abort('internetdisconnected')
    })
    await page.goto(path)
    await expect(page.getByText(waiting)).toBeAttached()
    await context.setOffline(true)
    cut()
    await expect(page.getByRole('alert')).toContainText('You’re offline.')
    await page.unroute(request)
    await context.setOffline(false)
    await expect(page.getByText(there)).toBeVisible()
    watch.faults.length = 0
  })
}
