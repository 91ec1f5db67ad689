import { listViolations } from '../lib/listViolations.ts'
import { startServer } from '../lib/servers/startServer.mjs'
import { inspectConsole } from '../lib/steps/inspectConsole.ts'
import { enterAs, masterKey } from '../lib/steps/operators.ts'
import { expect, serveBy, test } from '../lib/test.ts'

serveBy(() => startServer({ masterKey }))

test('charts of the overview are read by keyboard, pointer and table', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  await page.goto('/admin?range=hour')
  const chart = page.getByRole('slider', { name: 'Requests' })
  await expect(chart).toHaveAttribute('aria-valuetext', /Requests \d+, Server errors \d+, Period before \d+/)
  await chart.press('Home')
  await expect(chart).toHaveAttribute('aria-valuenow', '0')
  await chart.press('ArrowRight')
  await expect(chart).toHaveAttribute('aria-valuenow', '1')
  const card = page.getByRole('region', { name: 'Requests', exact: true })
  await expect(card.locator('[data-tip]')).toContainText('Requests')
  await chart.press('Escape')
  await expect(card.locator('[data-tip]')).toHaveCount(0)
  await chart.hover({ position: { x: 5, y: 20 } })
  await expect(card.locator('[data-tip]')).toContainText('Period before')
  await card.getByText('Show as table').click()
  await expect(card.getByRole('columnheader')).toHaveText(['Time', 'Requests', 'Server errors', 'Period before'])
  await expect(page.getByRole('slider', { name: 'Response time' })).toHaveAttribute(
    'aria-valuetext',
    /p50 .*p95 .*p99 /,
  )
  expect(await listViolations(page)).toEqual([])
  await page.getByRole('link', { name: 'Active sessions' }).click()
  await expect(page).toHaveURL(/\/admin\/data\/_Session/)
})

test('the overview has the findings of the doctor and the first steps', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  await page.goto('/admin')
  const health = page.getByRole('region', { name: 'Health' })
  await health.getByText('Passed checks').click()
  await expect(health).toContainText('The settings are valid')
  await expect(health).toContainText('Node.js')
  const steps = page.getByRole('region', { name: 'First steps' })
  await steps.getByText('Store an object').click()
  await expect(steps).toContainText('/classes/Score')
  expect(await listViolations(page)).toEqual([])
  await inspectConsole(page, ['/admin'])
  await steps.getByRole('button', { name: 'Hide first steps' }).click()
  await expect(steps).toHaveCount(0)
  await page.reload()
  await page.getByRole('heading', { name: 'Console overview' }).waitFor()
  await expect(steps).toHaveCount(0)
})

test('each setting says how to change it', { tag: '@both' }, async ({ page }) => {
  await enterAs(page, 'admin')
  await page.goto('/admin/settings')
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('logLevel')
  await expect(
    page.getByText(
      /“logLevel” in the configuration file or COUNTERSIGN_LOG_LEVEL in the environment|Change COUNTERSIGN_LOG_LEVEL/,
    ),
  ).toBeVisible()
  await page.getByRole('searchbox', { name: 'Search settings' }).fill('appName')
  await expect(page.getByText('Change it under “Daily settings”, without a restart.')).toBeVisible()
})
