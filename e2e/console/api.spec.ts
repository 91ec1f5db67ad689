import type { Page } from '@playwright/test'
import { listViolations } from '../lib/listViolations.ts'
import { inspectConsole } from '../lib/steps/inspectConsole.ts'
import { asMaster, enterAs, masterKey } from '../lib/steps/operators.ts'
import { expect, serve, test } from '../lib/test.ts'

serve({ masterKey })

const tryOut = (page: Page) => page.getByRole('region', { name: 'Try it out' })

test('an administrator finds an endpoint, reads about it and calls it', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  const className = `Called${Date.now()}`
  await asMaster(page, 'POST', `/classes/${className}`, { text: 'before' })
  await page.goto('/admin/api')
  await page.getByRole('searchbox', { name: 'Search endpoints' }).fill('createobject')
  await expect(page.getByText('1 endpoint', { exact: true })).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await page.getByRole('link', { name: '/classes/{className}' }).click()
  await expect(page).toHaveURL(/\/admin\/api\/createObject$/)
  await expect(page.getByRole('heading', { name: 'createObject', level: 1 })).toBeVisible()
  await tryOut(page).getByLabel('className').fill(className)
  await tryOut(page).getByLabel('Other fields as JSON').fill('{ "text": ')
  await tryOut(page).getByRole('button', { name: 'Send' }).click()
  await expect(tryOut(page).getByText('Not a valid value of type object.')).toBeVisible()
  await tryOut(page).getByLabel('Other fields as JSON').fill('{ "text": "tried" }')
  await tryOut(page).getByRole('button', { name: 'Send' }).click()
  await expect(tryOut(page).getByRole('region', { name: 'Result' })).toContainText('"objectId"')
  await expect(tryOut(page).getByText('201')).toBeVisible()
  expect((await asMaster(page, 'GET', `/classes/${className}?where={"text":"tried"}`)).results).toHaveLength(1)
  expect(await listViolations(page)).toEqual([])

  // A sign-in that is tried leaves the operator's own session alone.
  await page.goto('/admin/api/logIn')
  await expect(tryOut(page).getByText('Sent without your session, so you stay signed in.')).toBeVisible()
  await tryOut(page).getByLabel('username').fill('nobody')
  await tryOut(page).getByLabel('password').fill('no password of anyone')
  await tryOut(page).getByRole('button', { name: 'Send' }).click()
  await expect(tryOut(page).getByRole('region', { name: 'Result' })).toContainText('"code": 101')
  await page.goto('/admin/api/deleteObject')
  await tryOut(page).getByLabel('className').fill(className)
  await tryOut(page).getByLabel('objectId').fill('nothing')
  await tryOut(page).getByRole('button', { name: 'Send' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click()
  await expect(tryOut(page).getByRole('region', { name: 'Result' })).toContainText('Object not found.')
})

test('the playground runs a query and shows its code, under a URL of its own', async ({ page }) => {
  await enterAs(page, 'viewer')
  const className = `Asked${Date.now()}`
  for (const size of [1, 2, 3]) await asMaster(page, 'POST', `/classes/${className}`, { size })
  await page.goto('/admin/api?show=query')
  await page.getByLabel('Class').selectOption(className)
  await page.getByLabel('Conditions as JSON').fill('{ "size": { "$gt": 1 } }')
  await page.getByLabel('Order').fill('-size')
  await page.getByRole('button', { name: 'Run' }).click()
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result).toContainText('"size": 3')
  await expect(page.getByText('2 objects', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'SDK code' })).toContainText('"$gt": 1')
  expect(await listViolations(page)).toEqual([])
  await page.reload()
  await expect(result).toContainText('"size": 2')
})

test('a viewer calls what reads, and is offered no change', async ({ page }) => {
  await enterAs(page, 'viewer')
  await page.goto('/admin/api/listSchemas')
  await tryOut(page).getByRole('button', { name: 'Send' }).click()
  await expect(tryOut(page).getByRole('region', { name: 'Result' })).toContainText('"_User"')
  // Without the rights of the role the same session is one of an ordinary user.
  await tryOut(page).getByRole('switch', { name: 'Use your operator access' }).click()
  await tryOut(page).getByRole('button', { name: 'Send' }).click()
  await expect(tryOut(page).getByText('403')).toBeVisible()
  await page.goto('/admin/api/createObject')
  await expect(tryOut(page).getByText('Your console role is read-only.')).toBeVisible()
  await expect(tryOut(page).getByRole('button', { name: 'Send' })).toHaveCount(0)
  await page.goto('/admin/api/nothing')
  await expect(page.getByText('No endpoint matches')).toBeVisible()
})

test('support finds no reference', async ({ page }) => {
  await enterAs(page, 'support')
  await page.goto('/admin/api')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})

test('the reference passes the checks of accessibility, on every width, light and dark', async ({ page }) => {
  test.setTimeout(180_000)
  await enterAs(page, 'admin')
  await inspectConsole(page, ['/admin/api', '/admin/api/findObjects', '/admin/api?show=query&class=_User&limit=1'])
})
