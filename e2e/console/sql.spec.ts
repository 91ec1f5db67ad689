import { readFile } from 'node:fs/promises'
import { listViolations } from '../lib/listViolations.ts'
import { startServer } from '../lib/servers/startServer.mjs'
import { inspectConsole } from '../lib/steps/inspectConsole.ts'
import { asMaster, enterAs, masterKey } from '../lib/steps/operators.ts'
import { expect, serveBy, test } from '../lib/test.ts'

serveBy(() => startServer({ masterKey }))

test('a query is built, run, charted, exported and saved for all', { tag: '@both' }, async ({ page }) => {
  // The embedded database copies the class into another process, whose start takes seconds.
  test.setTimeout(300_000)
  await enterAs(page, 'admin')
  for (let points = 1; points <= 6; points++)
    await asMaster(page, 'POST', '/classes/Round', { points, level: points % 2 === 0 ? 'even' : 'odd' })
  await page.goto('/admin/sql')
  const query = page.getByLabel('SQL query')
  await page.getByText('Query builder').click()
  await page.getByLabel('Class', { exact: true }).selectOption('Round')
  await page.getByLabel('Show', { exact: true }).selectOption('sum')
  await page.getByLabel('Field').selectOption('points')
  await page.getByLabel('Group by').selectOption('level')
  await page.getByRole('button', { name: 'Write query' }).click()
  await expect(query).toHaveValue(/select "level" as "level", sum\("points"\) as value/)
  await query.press('Control+Enter')
  const result = page.getByRole('region', { name: 'Result' })
  await expect(result.getByRole('row')).toHaveText(['levelvalue', 'even12', 'odd9'], { timeout: 200_000 })
  expect(await listViolations(page)).toEqual([])

  const download = page.waitForEvent('download')
  await result.getByRole('button', { name: 'Export CSV' }).click()
  expect(await readFile(await (await download).path(), 'utf8')).toBe('level,value\r\neven,12\r\nodd,9')
  await result.getByRole('switch', { name: 'Chart' }).click()
  const chart = result.getByRole('slider', { name: 'Result' })
  await expect(chart).toHaveAttribute('aria-valuetext', 'odd, value 9')
  await chart.press('ArrowLeft')
  await expect(chart).toHaveAttribute('aria-valuetext', 'even, value 12')
  await expect(result.locator('[data-tip]')).toContainText('12')
  expect(await listViolations(page)).toEqual([])

  const name = `levels ${Date.now()}`
  await page.getByRole('button', { name: 'Saved queries' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill(name)
  await page.getByRole('button', { name: 'Save query' }).click()
  await expect(page.getByText('Query saved')).toBeVisible()
  await page.goto('/admin/sql')
  await page.getByRole('button', { name: 'Saved queries' }).click()
  await page.getByRole('dialog').getByRole('button', { name, exact: true }).click()
  await expect(query).toHaveValue(/from "Round"/)
  await expect(page.getByRole('slider', { name: 'Result' })).toBeVisible({ timeout: 200_000 })

  await query.fill('select pg_sleep(100)')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(page.getByText('The query cannot run: the function pg_sleep is not allowed.')).toBeVisible()
  await inspectConsole(page, ['/admin/sql'])
})

test('a viewer has no SQL editor', async ({ page }) => {
  await enterAs(page, 'viewer')
  await page.goto('/admin')
  await page.getByRole('heading', { name: 'Console overview' }).waitFor()
  await expect(page.getByRole('link', { name: 'SQL' })).toHaveCount(0)
  await page.goto('/admin/sql')
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible()
})
