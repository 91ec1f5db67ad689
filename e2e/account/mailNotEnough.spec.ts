import type { Page } from '@playwright/test'
import type { createApi } from '../lib/createApi.mjs'
import { listViolations } from '../lib/listViolations.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { currentCode } from '../lib/steps/totp.ts'
import { expect, serve, test } from '../lib/test.ts'

serve({ emailCode: { enabled: true } })

type Api = ReturnType<typeof createApi>

/** An account with an authenticator app, whose holder has not shown to read the mail of its address. */
async function createGuarded(api: Api): Promise<{ username: string; email: string; secret: string }> {
  const username = newName()
  const email = `${username}@example.org`
  const { sessionToken: token } = await api.call('POST', '/users', { username, password, email })
  const { secret = '' } = await api.call('POST', '/auth/totp', {}, { token })
  expect(await api.call('POST', '/auth/totp/confirm', { code: currentCode(secret) }, { token })).toMatchObject({
    status: 200,
  })
  return { username, email, secret }
}

async function openReset(page: Page, api: Api, email: string): Promise<void> {
  await api.call('POST', '/requestPasswordReset', { email })
  await page.goto('/outbox')
  const mail = page.getByRole('region', { name: /password/i }).filter({ hasText: email })
  await mail.getByRole('link', { name: 'Open link' }).click()
  await page.getByLabel('New password', { exact: true }).fill('a brand new password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('This account asks for a second factor')).toBeVisible()
}

test('a reset by mail asks for the second factor, and keeps the typed password', { tag: '@both' }, async ({
  page,
  api,
}) => {
  const { username, email, secret } = await createGuarded(api)
  await openReset(page, api, email)
  const code = page.getByLabel('Code', { exact: true })
  await expect(code).toBeFocused()
  expect(await listViolations(page)).toEqual([])

  await code.fill('000000')
  await page.keyboard.press('Enter')
  await expect(page.getByText('The code is incorrect or was already used.')).toBeVisible()
  await expect(code).toBeFocused()
  await expect(page.getByLabel('New password', { exact: true })).toHaveValue('a brand new password')

  await code.fill(currentCode(secret, 1))
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible()
  expect(await api.logIn({ username, password: 'a brand new password' })).toMatchObject({
    reason: 'secondFactorRequired',
  })
})

test('offers a new account with the address if the factor is missing', async ({ page, api }) => {
  const { username, email } = await createGuarded(api)
  await openReset(page, api, email)
  await page.getByRole('button', { name: 'Create a new account with this email address' }).click()
  await expect(page.getByRole('heading', { name: 'Your new account is ready' })).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  const made = await api.logIn({ username: email, password: 'a brand new password' })
  expect(made).toMatchObject({ status: 200, email })
  expect(made.username).not.toBe(username)
  // The old account is as it was, without the address.
  expect(await api.logIn({ username, password })).toMatchObject({ reason: 'secondFactorRequired' })
})

test('a mailed code offers the second factor or a new account', { tag: '@both' }, async ({ page, api }) => {
  const { username, email } = await createGuarded(api)
  await page.goto('/sign-in/code')
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send code' }).click()
  const field = page.getByLabel('Code', { exact: true })
  await expect(field).toBeVisible()
  const outbox = await page.context().newPage()
  await outbox.goto('/outbox')
  const mail = outbox
    .getByRole('region')
    .filter({ hasText: email })
    .filter({ hasText: /\b\d{6}\b/ })
    .first()
  const [code = ''] = ((await mail.textContent()) ?? '').match(/\b\d{6}\b/) ?? []
  await outbox.close()
  await field.fill(code)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Use the second factor' })).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Create a new account with this email address' }).click()
  await expect(page.getByRole('heading', { name: 'Hello,' })).toBeVisible()
  expect(await api.logIn({ username, password })).toMatchObject({ reason: 'secondFactorRequired' })
})
