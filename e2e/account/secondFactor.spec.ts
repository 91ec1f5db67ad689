import { listViolations } from '../lib/listViolations.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { signIn } from '../lib/steps/signIn.mjs'
import { signOut } from '../lib/steps/signOut.ts'
import { currentCode } from '../lib/steps/totp.ts'
import { expect, serve, test } from '../lib/test.ts'

serve()

test('an authenticator app is set up, asked for at the next sign-in, and turned off', {
  tag: ['@both', '@main'],
}, async ({ page, api }) => {
  const username = newName()
  await api.signUp({ username, password })
  await page.goto('/sign-in')
  await signIn(page, username)
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
  await page.goto('/account/security')
  const row = page.getByRole('listitem').filter({ has: page.getByRole('heading', { name: 'Authenticator app' }) })
  await row.getByRole('button', { name: 'Set up' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible()
  expect(await listViolations(page, { within: '[role=dialog]' })).toEqual([])
  const secret = (await dialog.locator('code').textContent()) ?? ''
  await dialog.getByLabel('Code', { exact: true }).fill(currentCode(secret))
  await dialog.getByRole('button', { name: 'Turn on' }).click()
  await expect(row.getByText('On', { exact: true })).toBeVisible()

  await page.goto('/')
  await signOut(page)
  await page.goto('/sign-in')
  await signIn(page, username)
  await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByLabel('Code', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  // A code works once, and that of the set-up was used: the next one, which a clock that is ahead shows, counts too.
  await page.getByLabel('Code', { exact: true }).fill(currentCode(secret, 1))
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()

  await page.goto('/account/security')
  await row.getByRole('button', { name: 'Turn off' }).click()
  const question = page.getByRole('dialog', { name: 'Turn off the authenticator app?' })
  expect(await listViolations(page, { within: '[role=dialog]' })).toEqual([])
  await question.getByRole('button', { name: 'Turn off' }).click()
  await expect(row.getByRole('button', { name: 'Set up' })).toBeVisible()
  await page.goto('/')
  await signOut(page)
  await page.goto('/sign-in')
  await signIn(page, username)
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
})
