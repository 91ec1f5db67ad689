import { listViolations } from '../lib/listViolations.ts'
import { addAuthenticator } from '../lib/steps/addAuthenticator.ts'
import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { signOut } from '../lib/steps/signOut.ts'
import { expect, serve, test } from '../lib/test.ts'

serve()

test('another account is merged by its password: refused, canceled, done and undone', { tag: '@both' }, async ({
  page,
  api,
}) => {
  const [other, username] = [newName(), newName()]
  const { sessionToken } = await api.call('POST', '/users', { username: other, password, city: 'London' })
  await enter(page, username)
  await page.goto('/account/security')
  const card = page.getByRole('region', { name: 'Merge another account' })
  await card.getByRole('button', { name: 'Merge…' }).click()
  const dialog = page.getByRole('dialog')
  expect(await listViolations(page)).toEqual([])
  await dialog.getByLabel('Username or email').fill(other)
  await dialog.getByLabel('Password', { exact: true }).fill('not the password')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByRole('alert')).toBeVisible()
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(dialog.getByText(`${other} becomes part of ${username}`)).toBeVisible()
  await expect(dialog.getByText('Added to your account: city.')).toBeVisible()

  // Canceled: nothing has moved, and nobody stays signed in to the other account.
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toBeHidden()
  const countSessions = async () =>
    (await api.call('GET', '/sessions', undefined, { token: sessionToken })).results.length
  await expect.poll(countSessions).toBe(1)

  await card.getByRole('button', { name: 'Merge…' }).click()
  await dialog.getByLabel('Username or email').fill(other)
  await dialog.getByLabel('Password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'Merge accounts' }).click()
  const merged = page.getByText(`${other} was merged into your account.`)
  await expect(merged).toBeVisible()
  await expect(page.getByRole('banner')).toContainText(username)
  // Its owner is offered to undo the merge.
  expect((await api.call('POST', '/login', { username: other, password })).reason).toBe('accountMerged')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByText(`Merge undone. ${other} is a separate account again.`)).toBeVisible()
  expect((await api.call('POST', '/login', { username: other, password })).status).toBe(200)
  await page.reload()
  await expect(page.getByRole('banner')).toContainText(username)
})

test('another account is merged by its passkey, which opens this one then', async ({ page }) => {
  await addAuthenticator(page)
  const other = newName()
  await enter(page, other)
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Mine')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await expect(page.getByText('Passkey “Mine” added.')).toBeVisible()
  await expect(dialog).toBeHidden()
  await signOut(page)

  const username = newName()
  await enter(page, username)
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Merge…' }).click()
  await dialog.getByRole('button', { name: 'Use a passkey' }).click()
  await expect(dialog.getByText('1 sign-in method moves here.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Merge accounts' }).click()
  await expect(page.getByText(`${other} was merged into your account.`)).toBeVisible()
  await expect(page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem')).toHaveCount(1)
  await signOut(page)
  await page.goto('/sign-in')
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
})
