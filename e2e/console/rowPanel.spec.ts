import type { Page } from '@playwright/test'
import { listViolations } from '../lib/listViolations.ts'
import { asMaster, enterAs, makeUser, masterKey } from '../lib/steps/operators.ts'
import { expect, serve, test } from '../lib/test.ts'

serve({ masterKey })

/** Two books of one shelf, with an owner and readers; a review points to the first. */
async function makeLibrary(page: Page) {
  const stamp = Date.now()
  const [shelf, book, review] = [`Shelf${stamp}`, `Book${stamp}`, `Review${stamp}`]
  const { objectId: owner, username } = await makeUser(page)
  const pointer = (className: string, objectId: string) => ({ __type: 'Pointer', className, objectId })
  const { objectId: shelfId } = await asMaster(page, 'POST', `/classes/${shelf}`, { title: 'Novels', rank: 1 })
  const make = (title: string, pages: number) =>
    asMaster(page, 'POST', `/classes/${book}`, {
      ...{ title, pages, shelf: pointer(shelf, shelfId), owner: pointer('_User', owner), ACL: {} },
      readers: { __op: 'AddRelation', objects: [pointer('_User', owner)] },
    })
  const { objectId: first } = await make('Emma', 474)
  const { objectId: second } = await make('Middlemarch', 880)
  await asMaster(page, 'POST', `/classes/${review}`, { text: 'Read it twice', book: pointer(book, first) })
  return { shelf, book, review, username, owner, first, second, shelfId }
}

test('a row opens in a panel with its fields, its related objects and its history', { tag: '@both' }, async ({
  page,
}) => {
  await enterAs(page, 'admin')
  const { shelf, book, review, username, first, shelfId } = await makeLibrary(page)
  await page.goto(`/admin/data/${book}?order=pages`)
  const panel = page.getByRole('dialog', { name: 'Emma' })
  // Pointers show the name of their object.
  const row = page.getByRole('row').nth(1)
  await expect(row.locator('td[data-column="shelf"]')).toHaveText('Novels')
  await expect(row.locator('td[data-column="owner"]')).toHaveText(username)
  await page.getByRole('button', { name: `Open ${first}` }).click()
  await expect(panel).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`row=${first}`))
  await expect(panel.getByRole('link', { name: 'Novels' })).toBeVisible()
  expect(await listViolations(page)).toEqual([])

  await panel.getByRole('button', { name: 'Edit pages' }).click()
  const editor = page.getByRole('dialog', { name: 'pages' })
  await editor.getByLabel('Number').fill('475')
  await editor.getByRole('button', { name: 'Save' }).click()
  await expect(panel.locator('[data-field="pages"]')).toContainText('475')
  expect((await asMaster(page, 'GET', `/classes/${book}/${first}`)).pages).toBe(475)

  await panel.getByRole('tab', { name: 'History' }).click()
  const history = panel.getByRole('list', { name: 'History' })
  await expect(history.getByRole('listitem').first()).toContainText('Changed')
  await expect(history.getByRole('listitem').first()).toContainText('pages')
  await expect(history.getByRole('listitem').first()).toContainText(/Operator \w+/)
  await expect(history.getByText('Master key')).toBeVisible()

  await panel.getByRole('tab', { name: 'Related objects' }).click()
  await expect(panel.getByRole('list', { name: 'readers' }).getByRole('link', { name: username })).toBeVisible()
  await expect(
    panel.getByRole('list', { name: `${review}.book` }).getByRole('link', { name: 'Read it twice' }),
  ).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await panel.getByRole('link', { name: 'Novels' }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/data/${shelf}\\?row=${shelfId}`))
  await expect(page.getByRole('dialog', { name: 'Novels' })).toBeVisible()
  await page.goBack()
  await expect(panel).toBeVisible()
})

test('the panel is used with the keyboard, goes to the next row, and gives the focus back', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await enterAs(page, 'admin')
  const { book, first } = await makeLibrary(page)
  await page.goto(`/admin/data/${book}?order=pages`)
  const grid = page.getByRole('grid', { name: book })
  await expect(page.getByRole('row')).toHaveCount(3)
  await grid.focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press(' ')
  const [emma, middlemarch] = [
    page.getByRole('dialog', { name: 'Emma' }),
    page.getByRole('dialog', { name: 'Middlemarch' }),
  ]
  await expect(emma).toBeVisible()
  await emma.getByRole('button', { name: 'Next row' }).press('Enter')
  await expect(middlemarch).toBeVisible()
  await middlemarch.getByRole('button', { name: 'Next row' }).press('Enter')
  await expect(middlemarch.getByRole('button', { name: 'Next row' })).toBeFocused()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await expect(grid).toBeFocused()
  const active = await grid.evaluate(
    (table) => document.getElementById(table.getAttribute('aria-activedescendant') ?? '')?.closest('tr')?.ariaRowIndex,
  )
  expect(active).toBe('3')

  await page.keyboard.press('ArrowUp')
  await page.keyboard.press(' ')
  const copied = async (name: string) => {
    await emma.getByRole('button', { name: 'Copy as' }).click()
    await page.getByRole('menuitem', { name }).click()
    await expect(page.getByText('Copied').first()).toBeVisible()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  expect(await copied('React hook')).toBe(`const { data, error } = useDocument("${book}", "${first}")`)
  expect(await copied('Parse SDK')).toContain(`new Parse.Query("${book}").get("${first}")`)
  expect(await copied('curl')).toMatch(new RegExp(`^curl 'http.*/server/classes/${book}/${first}'`))
  const link = await copied('Link')
  await page.goto(link)
  await expect(emma).toBeVisible()
})

test('why a user cannot read an object takes three clicks from its row', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'viewer')
  const { book, first, username } = await makeLibrary(page)
  await page.goto(`/admin/data/${book}?order=pages`)
  await page.getByRole('button', { name: `Open ${first}` }).click()
  const panel = page.getByRole('dialog', { name: 'Emma' })
  await expect(panel.getByRole('button', { name: /^Edit (pages|title)/ })).toHaveCount(0)
  await panel.getByRole('link', { name: 'Test access' }).click()
  await page.getByLabel('User', { exact: true }).fill(username)
  await page.getByRole('button', { name: 'Test access' }).click()
  await expect(page.getByRole('heading', { name: 'Denied' })).toBeVisible()
  await expect(page.getByText('Object access list (ACL)')).toBeVisible()
})
