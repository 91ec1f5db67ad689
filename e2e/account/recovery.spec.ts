import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { signIn } from '../lib/steps/signIn.mjs'
import { expect, serve, test } from '../lib/test.ts'

serve()

test('a forgotten password is replaced through the mail in the outbox', { tag: ['@both', '@main'] }, async ({
  page,
  api,
}) => {
  const username = newName()
  const email = `${username}@example.org`
  await api.signUp({ username, password, email })
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot password?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
  await page.getByRole('link', { name: 'Open outbox' }).click()

  await expect(page.getByText('No SMTP server is configured')).toBeVisible()
  const mail = page.getByRole('region', { name: /password/i }).filter({ hasText: email })
  await mail.getByRole('link', { name: 'Open link' }).click()
  await expect(page).toHaveURL(/\/reset\?token=/)
  const link = page.url()

  await page.getByLabel('New password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await page.getByLabel('New password', { exact: true }).fill('a brand new password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()

  await signIn(page, username)
  await expect(page.getByRole('alert')).toHaveText('Incorrect username or password.')
  await signIn(page, username, 'a brand new password')
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()

  // The link works once.
  await page.goto(link)
  await page.getByLabel('New password', { exact: true }).fill('yet another password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('alert')).toBeVisible()
  expect(await api.logIn({ username, password: 'a brand new password' })).toMatchObject({ username })
})

test('asking for an unknown address looks the same', async ({ page }) => {
  await page.goto('/forgot')
  await page.getByLabel('Email').fill('nobody@example.org')
  await page.getByRole('button', { name: 'Send link' }).click()
  await expect(page.getByRole('heading', { name: 'Check your email' })).toBeVisible()
})

test('an e-mail address is verified by the mail, and the profile says so', async ({ page }) => {
  const username = newName()
  await enter(page, username, { email: `${username}@example.org` })
  await page.goto('/account/profile')
  await expect(page.getByText('Not verified')).toBeVisible()
  await page.getByRole('button', { name: 'Resend email' }).click()
  await expect(page.getByText(`We sent a new link to ${username}@example.org.`)).toBeVisible()
  await page.getByRole('link', { name: 'Open outbox' }).click()
  const mails = page.getByRole('region', { name: /email/i }).filter({ hasText: `${username}@example.org` })
  // The second mail, whose link ends the first one's, is sent shortly after the response.
  await expect(async () => {
    await page.reload()
    await expect(mails).toHaveCount(2, { timeout: 2_000 })
  }).toPass({ timeout: 20_000 })
  await mails.first().getByRole('link', { name: 'Open link' }).click()
  await expect(page.getByRole('heading', { name: 'Email verified' })).toBeVisible()
  await page.getByRole('link', { name: 'Go to your profile' }).click()
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  await expect(page.getByText('Not verified')).toHaveCount(0)
})

test('SEC-3: the former address takes the account back by its mail', { tag: '@both' }, async ({ page }) => {
  const username = newName()
  const email = `${username}@example.org`
  await enter(page, username, { email })
  await page.goto('/outbox')
  const mails = page.getByRole('region', { name: /email/i }).filter({ hasText: email })
  await mails.first().getByRole('link', { name: 'Open link' }).click()
  await expect(page.getByRole('heading', { name: 'Email verified' })).toBeVisible()
  await page.goto('/account/profile')
  await page.getByLabel('Email').fill(`thief-${email}`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Not verified')).toBeVisible()

  await page.goto('/outbox')
  const notice = page.getByRole('region', { name: /This email address was removed/ }).filter({ hasText: email })
  await notice.first().getByRole('link', { name: 'Open link' }).click()
  await expect(page.getByRole('heading', { name: 'Recover your account' })).toBeVisible()
  await page.getByRole('button', { name: 'Recover account' }).click()
  await expect(page.getByRole('heading', { name: 'Account recovered' })).toBeVisible()
  // This browser was signed out with all others, and shows it.
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.getByRole('link', { name: 'Choose a new password' }).click()
  await page.getByLabel('New password', { exact: true }).fill('a brand new password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, username, 'a brand new password')
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
})

test('broken links show the error and a next step', { tag: '@both' }, async ({ page }) => {
  await page.goto('/reset')
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await expect(page).toHaveURL('/forgot')
  await page.goto('/verify-email?token=nonsense')
  await expect(page.getByRole('heading', { name: 'This link doesn’t work' })).toBeVisible()
  await page.goto('/verify-email')
  await expect(page.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible()
})
