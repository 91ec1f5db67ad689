import { enter } from './lib/enter.ts'
import { newName } from './lib/newName.ts'
import { password } from './lib/password.mjs'
import { signIn } from './lib/signIn.mjs'
import { expect, serve, test } from './lib/test.ts'

serve()

test('a forgotten password is replaced through the mail in the outbox', { tag: '@both' }, async ({ page, api }) => {
  const username = newName()
  const email = `${username}@example.org`
  await api.signUp({ username, password, email })
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Forgot it?' }).click()
  await expect(page.getByRole('heading', { name: 'Forgot your password?' })).toBeVisible()
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText('A link is on its way')).toBeVisible()
  await page.getByRole('link', { name: 'Open the outbox' }).click()

  await expect(page.getByText('no SMTP server is configured')).toBeVisible()
  const mail = page.getByRole('region', { name: /password/i }).filter({ hasText: email })
  await mail.getByRole('link', { name: 'Open the link' }).click()
  await expect(page).toHaveURL(/\/reset\?token=/)
  const link = page.url()

  await page.getByLabel('New password', { exact: true }).fill('short')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByLabel('New password', { exact: true })).toBeFocused()
  await page.getByLabel('New password', { exact: true }).fill('a brand new password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('heading', { name: 'Your password is changed' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()

  await signIn(page, username)
  await expect(page.getByRole('alert')).toHaveText('Wrong user name or password.')
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
  await page.getByLabel('E-mail').fill('nobody@example.org')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await expect(page.getByText('A link is on its way')).toBeVisible()
})

test('an e-mail address is verified by the mail, and the profile says so', async ({ page }) => {
  const username = newName()
  await enter(page, username, { email: `${username}@example.org` })
  await page.goto('/account/profile')
  await expect(page.getByText('Not verified')).toBeVisible()
  await page.getByRole('button', { name: 'Send it again' }).click()
  await expect(page.getByText(`A new link is on its way to ${username}@example.org.`)).toBeVisible()
  await page.getByRole('link', { name: 'Open the outbox' }).click()
  const mails = page.getByRole('region', { name: /e-mail/i }).filter({ hasText: `${username}@example.org` })
  await mails.first().getByRole('link', { name: 'Open the link' }).click()
  await expect(page.getByRole('heading', { name: 'E-mail verified' })).toBeVisible()
  await page.getByRole('link', { name: 'To your profile' }).click()
  await expect(page.getByText('Verified', { exact: true })).toBeVisible()
  await expect(page.getByText('Not verified')).toHaveCount(0)
})

test('SEC-3: the former address takes the account back by its mail', { tag: '@both' }, async ({ page }) => {
  const username = newName()
  const email = `${username}@example.org`
  await enter(page, username, { email })
  await page.goto('/outbox')
  const mails = page.getByRole('region', { name: /e-mail/i }).filter({ hasText: email })
  await mails.first().getByRole('link', { name: 'Open the link' }).click()
  await expect(page.getByRole('heading', { name: 'E-mail verified' })).toBeVisible()
  await page.goto('/account/profile')
  await page.getByLabel('E-mail').fill(`thief-${email}`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Not verified')).toBeVisible()

  await page.goto('/outbox')
  const notice = page.getByRole('region', { name: /removed from your account/ }).filter({ hasText: email })
  await notice.first().getByRole('link', { name: 'Open the link' }).click()
  await expect(page.getByRole('heading', { name: 'Take your account back' })).toBeVisible()
  await page.getByRole('button', { name: 'Take it back' }).click()
  await expect(page.getByRole('heading', { name: 'Your account is yours again' })).toBeVisible()
  await page.getByRole('link', { name: 'Choose a new password' }).click()
  await page.getByLabel('New password', { exact: true }).fill('a brand new password')
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('heading', { name: 'Your password is changed' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, username, 'a brand new password')
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
})

test('broken links say what is wrong and lead on', { tag: '@both' }, async ({ page }) => {
  await page.goto('/reset')
  await page.getByRole('link', { name: 'Ask for a new link' }).click()
  await expect(page).toHaveURL('/forgot')
  await page.goto('/verify-email?token=nonsense')
  await expect(page.getByRole('heading', { name: 'This link does not work' })).toBeVisible()
  await page.goto('/verify-email')
  await expect(page.getByRole('heading', { name: 'This link is incomplete' })).toBeVisible()
})
