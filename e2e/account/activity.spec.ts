import { readFile } from 'node:fs/promises'
import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { expect, serve, test } from '../lib/test.ts'

serve()

const iphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1'

test('activity is filtered by kind and device, and saved as CSV and JSON', { tag: ['@both', '@main'] }, async ({
  page,
  api,
}) => {
  const username = newName()
  await enter(page, username)
  const { sessionToken } = await api.logIn({ username, password }, iphone)
  await api.call('POST', '/auth/reauthenticate', { password }, { token: sessionToken, userAgent: iphone })
  await page.goto('/account/activity')
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(3)
  await expect(rows.last()).toContainText('This device')

  await page.getByLabel('Type').selectOption('Sign-ins')
  await expect(rows).toHaveCount(2)
  await page.getByLabel('Device').selectOption('Safari on iOS')
  await expect(rows).toHaveCount(1)
  await expect(page).toHaveURL(/kind=sign-ins/)
  await page.reload()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Signed in with password')

  const csv = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Save as CSV' }).click()
  const lines = (await readFile(await (await csv).path(), 'utf8')).trim().split('\r\n')
  expect(lines).toHaveLength(2)
  expect(lines[1]).toContain('Signed in with password,,Safari on iOS,127.0.0.1,signIn')
  await page.getByLabel('Device').selectOption('All devices')
  const json = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Save as JSON' }).click()
  expect(JSON.parse(await readFile(await (await json).path(), 'utf8'))).toMatchObject([
    { action: 'signIn', userAgent: iphone },
    { action: 'signUp' },
  ])
  await page.getByLabel('Type').selectOption('Wallets')
  await expect(page.getByText('No matching events')).toBeVisible()
})

test('shows a sign-in elsewhere automatically', async ({ page, api }) => {
  const username = newName()
  await enter(page, username)
  const live = page.waitForEvent('websocket')
  await page.goto('/account/activity')
  await live
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(async () => {
    await api.logIn({ username, password }, iphone)
    await expect(rows.filter({ hasText: 'Safari on iOS' })).not.toHaveCount(0, { timeout: 2000 })
  }).toPass()
})

test('loads older pages on request', async ({ page, api }) => {
  const username = newName()
  await enter(page, username)
  const { sessionToken } = await api.logIn({ username, password }, iphone)
  let token = sessionToken
  for (let count = 0; count < 55; count++) {
    const answer = await api.call('POST', '/auth/reauthenticate', { password }, { token })
    token = answer.sessionToken
  }
  await page.goto('/account/activity')
  const rows = page.getByRole('main').getByRole('listitem')
  await expect(rows).toHaveCount(50)
  await page.getByRole('button', { name: 'Show older' }).click()
  await expect(rows).toHaveCount(57)
  await expect(rows.last()).toContainText('Account created')
  await expect(page.getByRole('button', { name: 'Show older' })).toBeHidden()
})

test('“this wasn’t me” ends that session and leads to the password', async ({ page, api }) => {
  const username = newName()
  await enter(page, username)
  const { sessionToken } = await api.logIn({ username, password }, iphone)
  // On the Security screen as well, where the latest sign-ins are.
  await page.goto('/account/security')
  await expect(page.getByRole('region', { name: 'Latest sign-ins' }).getByRole('listitem')).toHaveCount(2)
  await page.getByRole('link', { name: 'All sign-ins' }).click()
  await expect(page).toHaveURL('/account/activity?kind=sign-ins')
  // The screen before has such a button, too, and stands until this one is there.
  await expect(page.getByRole('heading', { name: 'Activity', level: 1 })).toBeVisible()
  await page.getByRole('button', { name: 'This wasn’t me' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('Safari on iOS will be signed out immediately')
  await expect(dialog).toContainText('Generate new recovery codes too')
  await dialog.getByRole('button', { name: 'Sign out and continue' }).click()
  await expect(page).toHaveURL('/account/security')
  await expect(page.getByText('Now change your password.')).toBeVisible()
  expect(await api.me(sessionToken)).toMatchObject({ code: 209 })
})

test('activity that cannot be loaded says so: a rate limit is waited for, a refusal needs a click', {
  tag: '@both',
}, async ({ page, watch }) => {
  await enter(page, newName())
  const fail = (status: number, code: number, error: string, headers = {}) =>
    page.route('**/server/auth/activity*', (route) => route.fulfill({ status, headers, json: { code, error } }))
  await fail(429, 155, 'Too many requests.', { 'Retry-After': '600' })
  await page.clock.install()
  await page.goto('/account/activity')
  await expect(page.getByRole('alert')).toContainText('Too many requests.', { timeout: 30_000 })
  await expect(page.getByRole('button', { name: /^Try again in \d+ s$/ })).toBeDisabled()
  await page.unroute('**/server/auth/activity*')
  await page.clock.fastForward(600_000)
  await expect(page.getByText('This device')).toBeVisible()
  await fail(400, 102, 'No.')
  await page.goto('/account/activity')
  await expect(page.getByRole('alert')).toBeVisible({ timeout: 30_000 })
  await page.unroute('**/server/auth/activity*')
  await page.clock.fastForward(60_000)
  await page.getByRole('button', { name: 'Try again', exact: true }).click()
  await expect(page.getByText('This device')).toBeVisible()
  expect(watch.refusals.length).toBeGreaterThan(0)
})
