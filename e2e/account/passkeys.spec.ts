import type { Page } from '@playwright/test'
import { addAuthenticator } from '../lib/steps/addAuthenticator.ts'
import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { signOut } from '../lib/steps/signOut.ts'
import { expect, serve, test } from '../lib/test.ts'

serve()

const rows = (page: Page) => page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')

async function addPasskey(page: Page, name: string) {
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText(`Passkey “${name}” added.`)).toBeVisible()
  await expect(dialog).toBeHidden()
}

async function signInWithPasskey(page: Page, username: string) {
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
}

/** Like a key without a PIN: no user verification, so the session may not change sign-in methods. */
async function signInUnchecked(page: Page, username: string) {
  const path = '**/server/auth/passkeys/challenge'
  await page.route(path, async (route) => {
    const response = await route.fetch()
    const { options } = await response.json()
    await route.fulfill({ response, json: { options: { ...options, userVerification: 'discouraged' } } })
  })
  await signInWithPasskey(page, username)
  await page.unroute(path)
}

async function goThrough(page: Page) {
  const authenticator = await addAuthenticator(page)
  const username = newName()
  await enter(page, username)
  await page.goto('/account/security')
  const methods = page.getByRole('region', { name: 'Sign-in methods' }).getByRole('listitem')
  await expect(methods.filter({ hasText: 'Passkeys' })).toContainText('Not set up')
  await addPasskey(page, 'Laptop')
  await expect(rows(page)).toHaveCount(1)
  await expect(rows(page)).toContainText('Not used yet')
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toBeFocused()
  expect(await authenticator.countCredentials()).toBe(1)
  await signOut(page)

  await signInWithPasskey(page, username)
  await page.goto('/account/sessions')
  await page
    .getByRole('main')
    .getByRole('button', { name: /^Details/ })
    .first()
    .click()
  await expect(page.getByRole('main').getByRole('listitem').first()).toContainText('Signed in with passkey')
  await page.goto('/account/security')
  await expect(rows(page)).toContainText('Last used')
  return username
}

test('a passkey is added, signs in without a user name, and is removed', { tag: ['@both', '@main'] }, async ({
  page,
  watch,
}) => {
  await goThrough(page)
  await page.getByRole('button', { name: 'Remove passkey Laptop' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(rows(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Remove passkey Laptop' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('Passkey “Laptop” removed.')).toBeVisible()
  await expect(rows(page)).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText('Passkey “Laptop” restored.')).toBeVisible()
  await expect(rows(page)).toHaveCount(1)
  await signOut(page)
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page).not.toHaveURL(/sign-in/)
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Remove passkey Laptop' }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(rows(page)).toHaveCount(0)
  await signOut(page)

  expect(watch.refusals).toEqual([])
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('alert')).toContainText('Unknown passkey.')
  expect(watch.refusals).toHaveLength(1)
})

test('a browser that cannot read and write the JSON of passkeys does all the same', async ({ page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(PublicKeyCredential, 'parseCreationOptionsFromJSON')
    Reflect.deleteProperty(PublicKeyCredential, 'parseRequestOptionsFromJSON')
    Reflect.deleteProperty(PublicKeyCredential.prototype, 'toJSON')
  })
  await goThrough(page)
  expect(await page.evaluate(() => 'toJSON' in PublicKeyCredential.prototype)).toBe(false)
})

test('a user whom the device does not recognize gets a calm message and can try again', async ({ page, watch }) => {
  const authenticator = await addAuthenticator(page)
  const username = newName()
  await enter(page, username)
  await addPasskey(page, 'Laptop')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('alert')).toContainText('This device already has a passkey for your account.')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await signOut(page)

  await authenticator.recognise(false)
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'No passkey was used.' })).toBeVisible()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await authenticator.recognise(true)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
  expect(watch.refusals).toEqual([])
})

test('asks for a confirmation first if the session was not confirmed recently', async ({ page, watch }) => {
  await addAuthenticator(page)
  const username = newName()
  await enter(page, username)
  await addPasskey(page, 'Laptop')
  await signOut(page)
  await signInUnchecked(page, username)

  await page.goto('/account/security')
  const remove = async () => {
    await page.getByRole('button', { name: 'Remove passkey Laptop' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  }
  await remove()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(dialog.getByRole('alert')).toContainText('The password is incorrect.')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await expect(rows(page)).toHaveCount(1)

  await remove()
  await dialog.getByRole('button', { name: 'Confirm with a passkey' }).click()
  await expect(page.getByText('Passkey “Laptop” removed.')).toBeVisible()
  expect(watch.refusals).toHaveLength(3)
})

test('the password confirms as well, and the action continues', async ({ page }) => {
  await addAuthenticator(page)
  const username = newName()
  await enter(page, username)
  await addPasskey(page, 'Laptop')
  await signOut(page)
  await signInUnchecked(page, username)
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Remove passkey Laptop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText('Passkey “Laptop” removed.')).toBeVisible()
})

test('a browser without passkeys offers none', async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, 'PublicKeyCredential'))
  await page.goto('/sign-in')
  await expect(page.getByRole('button', { name: 'Sign in', exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Sign in with a passkey' })).toHaveCount(0)
  await enter(page, newName())
  await page.goto('/account/security')
  await expect(page.getByText('This browser or page address doesn’t support passkeys.')).toBeAttached()
  await expect(page.getByRole('button', { name: 'Add a passkey' })).toHaveCount(0)
})

test('a list that cannot be loaded says so and can be tried again', async ({ page, watch }) => {
  await enter(page, newName())
  await page.route('**/server/auth/signInMethods', (route) =>
    route.fulfill({ status: 400, json: { code: 119, error: 'This is not allowed today.' } }),
  )
  await page.goto('/account/security')
  const card = page.getByRole('region', { name: 'Sign-in methods' })
  await expect(card.getByRole('alert')).toContainText('This is not allowed today.')
  await page.unroute('**/server/auth/signInMethods')
  await card.getByRole('button', { name: 'Try again' }).click()
  await expect(card.getByRole('button', { name: 'Add a passkey' })).toBeVisible()
  expect(watch.refusals).toHaveLength(1)
})

test('sign-up creates a passkey, which signs in', { tag: '@both' }, async ({ page }) => {
  const authenticator = await addAuthenticator(page)
  const username = newName()
  await page.goto('/sign-up')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByLabel('Also create a passkey').check()
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByText(/^Passkey “.+” added\.$/)).toBeVisible()
  expect(await authenticator.countCredentials()).toBe(1)
  await page.goto('/')
  await signOut(page)
  await signInWithPasskey(page, username)
})
