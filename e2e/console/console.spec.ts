import type { Page } from '@playwright/test'
import { listViolations } from '../lib/listViolations.ts'
import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { asMaster, enterAs, makeUser, masterKey } from '../lib/steps/operators.ts'
import { password } from '../lib/steps/password.mjs'
import { signIn } from '../lib/steps/signIn.mjs'
import { expect, moveServerClock, serve, test } from '../lib/test.ts'

serve({ masterKey })

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Console' })

/** Follows a link of the navigation, which is a menu on a phone. */
async function goToArea(page: Page, name: string): Promise<void> {
  const menu = navigation(page).getByRole('button', { name: /^Console menu/ })
  if (await menu.isVisible()) await menu.click()
  await navigation(page).getByRole('link', { name, exact: true }).click()
}

test('a visitor and a user find no console, and fetch nothing of it', { tag: '@both' }, async ({ page }) => {
  const fetched: string[] = []
  page.on('request', (request) => fetched.push(request.url()))
  for (const path of ['/admin', '/admin/users', '/admin/audit', '/admin/claim']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  }
  await enter(page, newName())
  for (const path of ['/admin', '/admin/users']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  }
  expect(
    fetched.filter((url) => /\/assets\/(Console|Users|UserPage|AuditLog|AccessTester|Operators)-/.test(url)),
  ).toEqual([])
})

test('a visitor with a link creates an account and becomes an administrator, without a step in between', {
  tag: '@both',
}, async ({ page }) => {
  await page.goto('/')
  const { url } = await asMaster(page, 'POST', '/console/operatorLinks', { role: 'admin' })
  await page.goto(url)
  // Also the link of the header leads back.
  await page.getByRole('link', { name: 'Create account' }).first().click()
  await page.getByLabel('Username').fill(newName())
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  await page.getByRole('button', { name: 'Become an administrator' }).click()
  await expect(page.getByRole('heading', { name: 'Console overview' })).toBeVisible()
  // The setup of the account is offered later.
  await page.goto('/')
  await expect(page.getByRole('link', { name: 'Set up your account' })).toBeVisible()
  await page.goto(url)
  await page.getByRole('button', { name: 'Become an administrator' }).click()
  await expect(page.getByText('countersign admin link')).toBeVisible()
})

test('an administrator sees figures, finds a user, disables, enables and deletes them', {
  tag: ['@both', '@main'],
}, async ({ page }) => {
  await enterAs(page, 'admin')
  const { username } = await makeUser(page, { email: `${newName()}@example.com` })
  await page.goto('/admin')
  await expect(page.getByRole('heading', { name: 'Console overview' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Requests' })).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await goToArea(page, 'Users')
  await page.getByRole('searchbox', { name: 'Search users' }).fill(username.slice(0, -1))
  await page.getByRole('searchbox', { name: 'Search users' }).press('Enter')
  await page.getByRole('link', { name: username }).click()
  await expect(page.getByRole('heading', { name: username, level: 1 })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Sign-in methods' })).toContainText('Set')
  await page.getByRole('button', { name: 'Verify email' }).click()
  await expect(page.getByText('Email address verified')).toBeVisible()
  await page.getByRole('button', { name: 'Disable' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Disable' }).click()
  await expect(page.getByText('Account disabled')).toBeVisible()
  await page.getByRole('button', { name: 'Enable' }).click()
  await expect(page.getByText('Account enabled')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Timeline' })).toContainText('Enabled by an operator')
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  await expect(page.getByText('Deletion undone')).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('button', { name: 'Delete permanently' }).click()
  await dialog.getByRole('textbox').fill(username)
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page.getByText('User deleted')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible()
})

test('a dangerous action asks for a confirmation after a while, then runs', async ({ page }) => {
  await enterAs(page, 'admin')
  const { objectId } = await makeUser(page)
  await moveServerClock(901_000)
  await page.goto(`/admin/users/${objectId}`)
  await page.getByRole('button', { name: 'Sign out everywhere' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out everywhere' }).click()
  const proof = page.getByRole('dialog', { name: 'Confirm it’s you' })
  await proof.getByLabel('Password', { exact: true }).fill(password)
  await proof.getByRole('button', { name: 'Confirm', exact: true }).click()
  await expect(page.getByText('All devices were signed out.')).toBeVisible()
})

test('an administrator acts as a user, with a banner, and returns', async ({ page }) => {
  const { username: admin } = await enterAs(page, 'admin')
  const { objectId, username } = await makeUser(page)
  await page.goto(`/admin/users/${objectId}`)
  await page.getByRole('button', { name: 'Impersonate' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Impersonate' }).click()
  const banner = page.getByText(`You are acting as ${username}.`)
  await expect(banner).toBeVisible()
  await page.goto('/admin')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  // The live channel says that the user's session ended, which does not end the operator's.
  const live = page.waitForEvent('websocket')
  await page.goto('/account/profile')
  const socket = await live
  await socket.waitForEvent('framereceived', { predicate: ({ payload }) => String(payload).includes('subscribed') })
  await expect(banner).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Stop' }).click()
  await expect(page.getByRole('heading', { name: username, level: 1 })).toBeVisible()
  await expect(banner).toBeHidden()
  await page.goto('/admin/operators')
  await expect(page.getByRole('link', { name: admin })).toBeVisible()
})

test('the console has the whole width, its navigation in groups; it can be narrow, and a phone has one menu', {
  tag: '@both',
}, async ({ page }) => {
  await enterAs(page, 'admin')
  await page.goto('/admin/users')
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  await expect(page.getByRole('navigation', { name: 'Account' })).toHaveCount(0)
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(navigation(page).getByRole('link', { name: 'Schema' })).toBeHidden()
  await navigation(page).getByRole('button', { name: 'Console menu: Users' }).click()
  expect(await listViolations(page)).toEqual([])
  await navigation(page).getByRole('link', { name: 'Schema' }).click()
  await expect(page.getByRole('heading', { name: 'Schema', level: 1 })).toBeVisible()
  await expect(navigation(page).getByRole('link', { name: 'Schema' })).toBeHidden()

  await page.setViewportSize({ width: 1920, height: 1080 })
  const widthOf = async (name: 'navigation' | 'main') =>
    (await (name === 'main' ? page.getByRole('main') : navigation(page)).boundingBox())?.width ?? 0
  expect(await widthOf('navigation')).toBe(220)
  expect(await widthOf('main')).toBeGreaterThan(1_600)
  for (const group of ['Users', 'Data', 'Code', 'Chain', 'System'])
    await expect(navigation(page).getByRole('list', { name: group })).toBeVisible()
  await navigation(page).getByRole('button', { name: 'Collapse sidebar' }).click()
  expect(await widthOf('navigation')).toBeLessThan(60)
  await expect(navigation(page).getByRole('link', { name: 'Schema' })).toBeVisible()
  await navigation(page).getByRole('button', { name: 'Compact rows' }).click()
  await page.reload()
  await expect(navigation(page).getByRole('button', { name: 'Comfortable rows' })).toBeVisible()
  expect(await widthOf('navigation')).toBeLessThan(60)
  expect(await listViolations(page)).toEqual([])
})

test('support sees users and can help, and nothing else', async ({ page }) => {
  await enterAs(page, 'support')
  const { objectId, username } = await makeUser(page)
  await page.goto('/admin')
  await expect(navigation(page).getByRole('link')).toHaveText(['Overview', 'Users', 'Sign-ins', 'Roles'])
  for (const path of ['/admin/audit', '/admin/settings', '/admin/access', '/admin/operators']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  }
  await page.goto(`/admin/users/${objectId}`)
  await expect(page.getByRole('heading', { name: username, level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Disable' })).toBeVisible()
  await expect(page.getByRole('button', { name: /Delete|Impersonate|Export/ })).toHaveCount(0)
})

test('a viewer reads, and is offered no change', async ({ page }) => {
  await enterAs(page, 'viewer')
  const { objectId, username } = await makeUser(page)
  await page.goto(`/admin/users/${objectId}`)
  await expect(page.getByRole('heading', { name: username, level: 1 })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Actions' })).toHaveCount(0)
  await page.goto('/admin/audit')
  await expect(page.getByRole('list', { name: 'Audit log' }).getByRole('listitem').first()).toBeVisible()
  await page.getByRole('button', { name: 'Verify log' }).click()
  await expect(page.getByText(/The log is intact/)).toBeVisible()
  await page.goto('/admin/operators')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('the access tester names what decides, in an address that can be passed on', async ({ page }) => {
  await enterAs(page, 'admin')
  const { objectId, username } = await makeUser(page)
  const { objectId: paper } = await asMaster(page, 'POST', '/classes/Paper', { ACL: { [objectId]: { read: true } } })
  await page.goto('/admin/access')
  await page.getByLabel('User', { exact: true }).fill(username)
  await page.getByLabel('Class').fill('Paper')
  await page.getByLabel('Object ID').fill(paper)
  await page.getByRole('button', { name: 'Test access' }).click()
  await expect(page.getByRole('heading', { name: 'Allowed' })).toBeVisible()
  await expect(page.getByText('Object access list (ACL)')).toBeVisible()
  await page.getByLabel('Operation').selectOption('update')
  await page.getByRole('button', { name: 'Test access' }).click()
  await expect(page.getByRole('heading', { name: 'Denied' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Denied' })).toBeVisible()
})

test('a link makes one operator, once', async ({ page, browser, baseURL }) => {
  await enterAs(page, 'admin')
  await page.goto('/admin/operators')
  await page.getByRole('button', { name: 'Create link' }).click()
  const link = (await page.getByRole('main').locator('code').textContent()) ?? ''
  const context = await browser.newContext({ ...(baseURL && { baseURL }), locale: 'en-GB' })
  const other = await context.newPage()
  await other.goto(link)
  await expect(
    other.getByText('Sign in or create an account. It becomes an administrator of this server.'),
  ).toBeVisible()
  const username = newName()
  await enter(other, username)
  await other.goto(link)
  await other.getByRole('button', { name: 'Become an administrator' }).click()
  await expect(other.getByRole('heading', { name: 'Console overview' })).toBeVisible()
  await other.goto(link)
  await other.reload()
  await other.getByRole('button', { name: 'Become an administrator' }).click()
  await expect(other.getByRole('alert')).toBeVisible()
  await context.close()
  await page.reload()
  await expect(page.getByRole('link', { name: username })).toBeVisible()
})

test('the palette leads to the console once it was opened, and within it to each of its screens', async ({ page }) => {
  await enterAs(page, 'admin')
  await page.goto('/admin')
  await expect(page.getByRole('heading', { name: 'Console overview' })).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('dialog').getByRole('combobox').fill('audit log')
  await page.getByRole('option', { name: 'Console: Audit log' }).click()
  await expect(page.getByRole('heading', { name: 'Audit log', level: 1 })).toBeVisible()
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('console')
  await page.getByRole('option', { name: 'Console', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Console overview' })).toBeVisible()
})

test('an operator whose role is removed while a page is open loses the console with the next request', async ({
  page,
}) => {
  const { objectId } = await enterAs(page, 'viewer')
  await page.goto('/admin/users')
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  await asMaster(page, 'DELETE', `/console/operators/${objectId}`)
  await navigation(page).getByRole('link', { name: 'Sign-ins' }).click()
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(navigation(page)).toHaveCount(0)
})

test('an operator removed by another one loses the open console', async ({ page, browser, baseURL }) => {
  const { username } = await enterAs(page, 'support')
  await page.goto('/admin/users')
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  const context = await browser.newContext({ ...(baseURL && { baseURL }), locale: 'en-GB' })
  const other = await context.newPage()
  await enterAs(other, 'admin')
  await other.goto('/admin/operators')
  await other.getByRole('button', { name: `Remove ${username}` }).click()
  await expect(other.getByText('Operator removed')).toBeVisible()
  await context.close()
  const search = page.getByRole('searchbox', { name: 'Search users' })
  await search.fill('ada')
  await search.press('Enter')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await expect(navigation(page)).toHaveCount(0)
  // The session itself goes on.
  await page.goto('/account/profile')
  await expect(page.getByLabel('Username')).toHaveValue(username)
})

test('an operator whose session ends elsewhere signs in again and returns to the same console page', async ({
  page,
  api,
}) => {
  const { username } = await enterAs(page, 'admin')
  const live = page.waitForEvent('websocket')
  await page.goto('/admin/users?search=ada')
  const socket = await live
  await socket.waitForEvent('framereceived', { predicate: ({ payload }) => String(payload).includes('subscribed') })
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  const { sessionToken } = await api.logIn({ username, password })
  await api.call('POST', '/revokeOtherSessions', {}, { token: sessionToken })
  await expect(page).toHaveURL('/sign-in?next=%2Fadmin%2Fusers%3Fsearch%3Dada', { timeout: 5_000 })
  await expect(page.getByText('You were signed out.')).toBeVisible()
  await signIn(page, username)
  await expect(page).toHaveURL('/admin/users?search=ada')
  await expect(page.getByRole('heading', { name: 'Users', level: 1 })).toBeVisible()
})
