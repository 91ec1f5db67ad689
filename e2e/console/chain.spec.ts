import { listViolations } from '../lib/listViolations.ts'
import { startChain } from '../lib/servers/startChain.mjs'
import { startServer } from '../lib/servers/startServer.mjs'
import { inspectConsole } from '../lib/steps/inspectConsole.ts'
import { asMaster, enterAs, masterKey } from '../lib/steps/operators.ts'
import { expect, serveBy, test } from '../lib/test.ts'

serveBy(async () => {
  const chain = await startChain()
  const server = await startServer({
    masterKey,
    chains: [{ id: chain.chainId, name: 'test chain', rpcUrls: [`${chain.url}/?key=secret-of-the-node`] }],
  })
  return { url: server.url, stop: async () => void (await Promise.all([server.stop(), chain.stop()])) }
})

const definition = {
  class: 'Sale',
  event: 'event Sold(uint256 indexed id, address buyer)',
  contracts: [`0x${'ab'.repeat(20)}`],
  startBlock: 0,
}

test('an administrator sees the node, follows an event, reads it again and removes it', { tag: '@both' }, async ({
  page,
}) => {
  await enterAs(page, 'admin')
  await page.goto('/admin/chain')
  await expect(page.getByText('Latest block').first()).toBeVisible()
  await page.getByRole('button', { name: /^Details: (localhost|127\.0\.0\.1)/ }).click()
  await expect(page.getByText('Latency')).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText('secret-of-the-node')
  await page.getByText('Sync an event').click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Class').fill(definition.class)
  await form.getByLabel('Event').fill(definition.event)
  await form.getByLabel('Contract addresses').fill(definition.contracts.join(', '))
  await form.getByLabel('First block').fill(String(definition.startBlock))
  await form.getByLabel('More options as JSON').fill('{ "class":')
  await page.getByRole('button', { name: 'Start sync', exact: true }).click()
  await expect(page.getByText('Not a valid value of type object.')).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await form.getByLabel('More options as JSON').fill('{}')
  await page.getByRole('button', { name: 'Start sync', exact: true }).click()
  await expect(page.getByText('Event sync started')).toBeVisible()
  await page.getByRole('button', { name: /^Details: Sale/ }).click()
  await expect(page.getByRole('region', { name: /^Definition of Sale/ })).toContainText('Sold')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect(form.getByLabel('Class')).toHaveValue(definition.class)
  await form.getByLabel('First block').fill('1')
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Event sync saved')).toBeVisible()
  await page.getByRole('button', { name: 'Re-index' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Re-index' }).click()
  await expect(page.getByText('Done', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await expect(page.getByText('No synced events')).toBeVisible()
})

test('a viewer reads and changes nothing; support finds none of it', async ({ page, browser, baseURL }) => {
  await enterAs(page, 'viewer')
  await asMaster(page, 'POST', '/syncs', { ...definition, class: 'Seen', chain: 'test chain' })
  await page.goto('/admin/chain')
  await page.getByRole('button', { name: /^Details: Seen/ }).click()
  await expect(page.getByRole('region', { name: /^Definition of Seen/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Read again|^Remove/ })).toHaveCount(0)
  await expect(page.getByText('Sync an event')).toHaveCount(0)
  const context = await browser.newContext({ ...(baseURL && { baseURL }), locale: 'en-GB' })
  const other = await context.newPage()
  await enterAs(other, 'support')
  await other.goto('/admin/chain')
  await expect(other.getByRole('heading', { name: 'Page not found' })).toBeVisible()
  await context.close()
})

test('the screen passes the checks of accessibility, on every width, light and dark', async ({ page }) => {
  test.setTimeout(180_000)
  await enterAs(page, 'admin')
  await inspectConsole(page, ['/admin/chain'])
})
