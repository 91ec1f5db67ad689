import { enter } from '../lib/steps/enter.ts'
import { goTo } from '../lib/steps/goTo.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { expect, serve, test } from '../lib/test.ts'

serve()

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'

test('R18: the list shows this device first; another one is revoked at once', { tag: ['@both', '@main'] }, async ({
  page,
  api,
}) => {
  const username = newName()
  await enter(page, username)
  const phone = await api.logIn({ username, password }, iphone)
  const program = await api.logIn({ username, password }, 'curl/8.5.0')
  await page.goto('/account/sessions')
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.first()).toContainText('This device')
  await rows
    .first()
    .getByRole('button', { name: /^Details/ })
    .click()
  await expect(rows.first()).toContainText('Account created')
  await expect(rows.filter({ hasText: 'Safari on iOS' })).toContainText(/Active just now · 127\.0\.0\.1/)
  await expect(page.getByRole('region', { name: 'Apps and API' })).toContainText('curl')
  await expect(rows.filter({ hasText: 'curl' })).toContainText('127.0.0.1')

  await page.getByRole('button', { name: 'Sign out Safari on iOS' }).click()
  await expect(page.getByText('Signed out: Safari on iOS.')).toBeVisible()
  await expect(rows).toHaveCount(2)
  await expect(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeFocused()
  expect(await api.me(phone.sessionToken)).toMatchObject({ code: 209 })
  expect(await api.me(program.sessionToken)).toMatchObject({ username })
})

test('the list is live: a new device appears and an ended one disappears', async ({ page, api }) => {
  const username = newName()
  await enter(page, username)
  const live = page.waitForEvent('websocket')
  await page.goto('/account/sessions')
  await live
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(async () => {
    const { sessionToken } = await api.logIn({ username, password }, iphone)
    await expect(rows.filter({ hasText: 'Safari on iOS' })).not.toHaveCount(0, { timeout: 2000 })
    await api.call('POST', '/logout', {}, { token: sessionToken })
  }).toPass()
  await expect(rows).toHaveCount(1)
})

test('revoke all others keeps this one', async ({ page, api }) => {
  const username = newName()
  await enter(page, username)
  const tokens = []
  for (const agent of [iphone, 'curl/8.5.0', 'node']) tokens.push(await api.logIn({ username, password }, agent))
  await page.goto('/account/sessions')
  await page.getByRole('button', { name: 'Sign out all other devices' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(4)

  await page.getByRole('button', { name: 'Sign out all other devices' }).click()
  await dialog.getByRole('button', { name: 'Sign out other devices' }).click()
  await expect(page.getByText('Only this device is signed in to your account.')).toBeVisible()
  for (const { sessionToken } of tokens) expect(await api.me(sessionToken)).toMatchObject({ code: 209 })
  await page.reload()
  await expect(page.getByRole('main').getByRole('listitem')).toHaveCount(1)
})

test('R4: a session that was ended elsewhere leads to sign-in, and back afterwards', async ({ page, api }) => {
  const username = newName()
  await enter(page, username)
  await page.goto('/account/sessions')
  await expect(page.getByText('This device', { exact: true })).toBeVisible()
  const { sessionToken } = await api.logIn({ username, password })
  await api.call('POST', '/revokeOtherSessions', {}, { token: sessionToken })

  // The page notices automatically.
  await expect(page).toHaveURL('/sign-in?next=%2Faccount%2Fsessions')
  await expect(page.getByText('You were signed out.')).toBeVisible()
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account/sessions')
  await expect(page.getByText('This device', { exact: true })).toBeVisible()

  // Without a live connection the session is checked when the person returns to the page.
  await goTo(page, 'Profile')
  await expect(page.getByLabel('Username')).toHaveValue(username)
  await api.call('POST', '/revokeOtherSessions', {}, { token: sessionToken })
  await page.evaluate(() => {
    const { now } = Date
    Date.now = () => now() + 60_000
    document.dispatchEvent(new Event('visibilitychange'))
  })
  await expect(page).toHaveURL('/sign-in?next=%2Faccount%2Fprofile')
})

test('a list that cannot be loaded says so and can be tried again', { tag: '@both' }, async ({ page, watch }) => {
  await enter(page, newName())
  await page.route('**/server/sessions*', (route) =>
    route.fulfill({ status: 400, json: { code: 119, error: 'This is not allowed today.' } }),
  )
  await page.goto('/account/sessions')
  await expect(page.getByRole('alert')).toContainText('This is not allowed today.')
  await page.unroute('**/server/sessions*')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByText('This device', { exact: true })).toBeVisible()
  expect(watch.refusals.length).toBe(1)
})
