import { listViolations } from '../lib/listViolations.ts'
import { asMaster, enterAs, makeUser, masterKey } from '../lib/steps/operators.ts'
import { expect, serve, test } from '../lib/test.ts'

serve({ masterKey })

const add = (className: string, objectId: string) => ({
  __op: 'AddRelation',
  objects: [{ __type: 'Pointer', className, objectId }],
})

test('an administrator creates a role, adds and removes members and roles, and deletes it', {
  tag: '@both',
}, async ({ page }) => {
  await enterAs(page, 'admin')
  const { username } = await makeUser(page)
  const name = `crew ${Date.now()}`
  await asMaster(page, 'POST', '/roles', { name: `${name} below`, ACL: {} })
  await page.goto('/admin/roles')
  await page.getByRole('button', { name: 'Create role' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(name)
  await dialog.getByRole('button', { name: 'Create' }).click()
  await expect(page.getByRole('heading', { name, level: 1 })).toBeVisible()

  await page.getByRole('button', { name: 'Add member' }).click()
  await dialog.getByLabel('Find a user').fill(username)
  await dialog.getByLabel('Find a user').press('Enter')
  await dialog.getByRole('list', { name: 'Results' }).getByRole('button', { name: username }).click()
  const members = page.getByRole('list', { name: 'Members' })
  await expect(members.getByRole('link', { name: username })).toBeVisible()
  await expect(page.getByText('1 member', { exact: true })).toBeVisible()
  expect(await listViolations(page)).toEqual([])

  await page.getByRole('button', { name: 'Add role' }).click()
  await dialog.getByLabel('Find a role').fill(`${name} below`)
  await dialog.getByLabel('Find a role').press('Enter')
  await dialog.getByRole('button', { name: `${name} below` }).click()
  const below = page.getByRole('list', { name: 'Roles below' })
  await expect(below.getByRole('link', { name: `${name} below` })).toBeVisible()

  await page.goto('/admin/roles')
  await page.getByRole('button', { name: `Show the roles below ${name}`, exact: true }).press('Enter')
  await expect(page.getByRole('link', { name: `${name} below` })).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await page.getByRole('link', { name, exact: true }).click()

  await members.getByRole('button', { name: `Remove ${username}` }).click()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No members')).toBeVisible()
  await below.getByRole('button', { name: `Remove ${name} below` }).click()
  await expect(page.getByText('No roles below this one')).toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await dialog.getByRole('textbox').fill(name)
  await dialog.getByRole('button', { name: 'Delete permanently' }).click()
  await expect(page.getByText('Role deleted')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Roles', level: 1 })).toBeVisible()
})

test('a circle of roles is shown and ends', async ({ page }) => {
  await enterAs(page, 'viewer')
  const { objectId: one } = await asMaster(page, 'POST', '/roles', { name: 'circle one', ACL: {} })
  const { objectId: two } = await asMaster(page, 'POST', '/roles', {
    name: 'circle two',
    ACL: {},
    roles: add('_Role', one),
  })
  await asMaster(page, 'PUT', `/roles/${one}`, { roles: add('_Role', two) })
  await page.goto('/admin/roles?search=circle one')
  await page.getByRole('button', { name: 'Show the roles below circle one' }).click()
  await page.getByRole('button', { name: 'Show the roles below circle two' }).click()
  await expect(page.getByText('Contains itself')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Show the roles below/ })).toHaveCount(0)
})

for (const role of ['support', 'viewer'] as const) {
  test(`${role} reads roles and changes none`, async ({ page }) => {
    await enterAs(page, role)
    const { objectId: user, username } = await makeUser(page)
    const name = `read by ${role} ${Date.now()}`
    const { objectId } = await asMaster(page, 'POST', '/roles', { name, ACL: {}, users: add('_User', user) })
    await page.goto('/admin/roles')
    await expect(page.getByRole('link', { name })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Create role' })).toHaveCount(0)
    await page.goto(`/admin/roles/${objectId}`)
    await expect(page.getByRole('link', { name: username })).toBeVisible()
    await expect(page.getByRole('button', { name: /^(Add|Remove|Delete)/ })).toHaveCount(0)
  })
}
