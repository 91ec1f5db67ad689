import { addAuthenticator } from '../lib/steps/addAuthenticator.ts'
import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { expect, serve, test } from '../lib/test.ts'

serve()

test('a new user is asked for a name, a picture and a backup sign-in method; once', {
  tag: ['@both', '@main'],
}, async ({ page, api }) => {
  await addAuthenticator(page)
  const [first, second] = [newName(), newName()]
  await page.goto('/sign-up?next=%2Faccount%2Fwallets')
  await page.getByLabel('Username', { exact: true }).fill(first)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  await expect(page).toHaveURL('/welcome?next=%2Faccount%2Fwallets')
  await expect(page.getByRole('heading', { name: 'Set up your account' })).toBeFocused()

  await page.getByLabel('Username', { exact: true }).fill('')
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByLabel('Username', { exact: true })).toHaveAccessibleDescription(/Enter a username/)
  await page.getByLabel('Username', { exact: true }).fill(second)

  const passkey = page.getByRole('listitem').filter({ hasText: 'Passkey' })
  await passkey.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Continue' }).click()
  await expect(passkey).toContainText('Set up')
  // Until it is closed there are two buttons of that name.
  await expect(page.getByRole('dialog')).toBeHidden()
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page).toHaveURL('/account/wallets')
  expect(await api.logIn({ username: second, password })).toMatchObject({ status: 200 })

  await page.goto('/')
  await expect(page.getByRole('heading', { name: `Hello, ${second}` })).toBeVisible()
  await expect(page.getByText('Complete your account')).toBeHidden()
})

test('visitors have no welcome screen', async ({ page }) => {
  await page.goto('/welcome')
  await expect(page).toHaveURL('/')
})

test('a name that is taken, and sign-in methods that cannot be loaded, are shown; nothing has to be done', {
  tag: '@both',
}, async ({ page, api, watch }) => {
  const [username, taken] = [newName(), newName('grace')]
  await api.signUp({ username: taken, password })
  await enter(page, username)
  await page.route('**/server/auth/signInMethods', (route) =>
    route.fulfill({ status: 400, json: { code: 119, error: 'This is not allowed today.' } }),
  )
  await page.goto('/welcome')
  await expect(page.getByRole('alert')).toContainText('This is not allowed today.')
  await page.unroute('**/server/auth/signInMethods')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Password' })).toContainText('Set up')

  await page.getByLabel('Username', { exact: true }).fill(taken)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page.getByLabel('Username', { exact: true })).toHaveAccessibleDescription(
    /Account already exists for this username/,
  )
  await expect(page).toHaveURL('/welcome')
  await page.getByLabel('Username', { exact: true }).fill(username)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
  await expect(page).toHaveURL('/')
  expect(watch.refusals.length).toBe(2)
})
