import { addAuthenticator } from './lib/addAuthenticator.ts'
import { enter } from './lib/enter.ts'
import { newName } from './lib/newName.ts'
import { password } from './lib/password.mjs'
import { expect, serve, test } from './lib/test.ts'

serve()

test('a new user is asked for a name, a picture and a second way in; once', { tag: '@both' }, async ({ page, api }) => {
  await addAuthenticator(page)
  const [first, second] = [newName(), newName()]
  await page.goto('/sign-up?next=%2Faccount%2Fwallets')
  await page.getByLabel('User name').fill(first)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  await expect(page).toHaveURL('/welcome?next=%2Faccount%2Fwallets')
  await expect(page.getByRole('heading', { name: `Hello, ${first}` })).toBeFocused()

  await page.getByLabel('User name').fill('')
  await page.getByRole('button', { name: 'Save the name' }).click()
  await expect(page.getByLabel('User name')).toHaveAccessibleDescription(/A user name is needed/)
  await page.getByLabel('User name').fill(second)
  await page.getByRole('button', { name: 'Save the name' }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${second}` })).toBeVisible()
  expect(await api.logIn({ username: second, password })).toMatchObject({ status: 200 })

  const passkey = page.getByRole('listitem').filter({ hasText: 'Passkey' })
  await passkey.getByRole('button', { name: 'Add a passkey' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Go on' }).click()
  await expect(passkey).toContainText('Ready')
  await page.getByRole('link', { name: 'Done' }).click()
  await expect(page).toHaveURL('/account/wallets')

  await page.goto('/')
  await expect(page.getByRole('heading', { name: `Hello, ${second}` })).toBeVisible()
  await expect(page.getByText('Make it yours')).toBeHidden()
})

test('visitors have no welcome screen', async ({ page }) => {
  await page.goto('/welcome')
  await expect(page).toHaveURL('/')
})

test('a name that is taken, and ways in that cannot be loaded, are told; nothing has to be done', {
  tag: '@both',
}, async ({ page, api, watch }) => {
  const [username, taken] = [newName(), newName('grace')]
  await api.signUp({ username: taken, password })
  await enter(page, username)
  await page.route('**/server/auth/waysIn', (route) =>
    route.fulfill({ status: 400, json: { code: 119, error: 'This is not allowed today.' } }),
  )
  await page.goto('/welcome')
  await expect(page.getByRole('alert')).toContainText('This is not allowed today.')
  await page.unroute('**/server/auth/waysIn')
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('listitem').filter({ hasText: 'Password' })).toContainText('Ready')

  await page.getByLabel('User name').fill(taken)
  await page.getByRole('button', { name: 'Save the name' }).click()
  await expect(page.getByLabel('User name')).toHaveAccessibleDescription(/Account already exists for this username/)
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
  await page.getByRole('link', { name: 'Done' }).click()
  await expect(page).toHaveURL('/')
  expect(watch.refusals.length).toBe(2)
})
