import type { Page } from '@playwright/test'
import { startChain } from '../lib/servers/startChain.mjs'
import { startMailServer } from '../lib/servers/startMailServer.mjs'
import { startServer } from '../lib/servers/startServer.mjs'
import { countClicks } from '../lib/steps/countClicks.ts'
import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { asMaster, enterAs, makeUser, masterKey } from '../lib/steps/operators.ts'
import { password } from '../lib/steps/password.mjs'
import { expect, serveBy, test } from '../lib/test.ts'

const holder = `0x${'5e'.repeat(20)}`
let token = ''

serveBy(async () => {
  const [chain, mails] = await Promise.all([startChain(), startMailServer()])
  token = await chain.deploy('Token', ['Token', 'TOK', 18])
  await chain.call('Token', token, 'mint', [holder, 5n])
  const server = await startServer({
    masterKey,
    smtp: { url: mails.url, from: 'us@example.com' },
    chains: [{ id: chain.chainId, name: 'test chain', rpcUrls: [chain.url] }],
  })
  return { ...server, stop: async () => void (await Promise.all([server.stop(), chain.stop(), mails.stop()])) }
})

const navigation = (page: Page) => page.getByRole('navigation', { name: 'Console' })

/** Opens the overview, where each task starts. */
async function begin(page: Page) {
  const { objectId, username } = await enterAs(page, 'admin')
  await page.goto('/admin')
  await page.getByRole('heading', { name: 'Console overview' }).waitFor()
  return { objectId, username, clicks: await countClicks(page) }
}

test('task: claim the console by a link, in 4 clicks', async ({ page, browser, baseURL }) => {
  await enterAs(page, 'admin')
  const { url } = await asMaster(page, 'POST', '/console/operatorLinks', {})
  const context = await browser.newContext({ ...(baseURL && { baseURL }), locale: 'en-GB' })
  const other = await context.newPage()
  await enter(other, newName())
  await other.goto(url)
  const clicks = await countClicks(other)
  await other.getByRole('button', { name: 'Become an administrator' }).click()
  await expect(other.getByRole('heading', { name: 'Console overview' })).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(4)
  await context.close()
})

test('task: role for the holders of a token, in 4 clicks, with a test of an address', async ({ page }) => {
  const { clicks } = await begin(page)
  await navigation(page).getByRole('link', { name: 'Token gates' }).click()
  await page.getByRole('button', { name: 'New token gate' }).click()
  const form = page.getByRole('dialog', { name: 'New token gate' })
  const name = `holders ${Date.now()}`
  await form.getByLabel('Role').fill(name)
  await form.getByLabel('Token type').selectOption('erc20')
  await form.getByLabel('Contract address').fill(token)
  await form.getByLabel('Minimum amount').fill('5')
  await form.getByLabel('Test an address').fill(holder)
  await form.getByRole('button', { name: 'Test', exact: true }).press('Enter')
  await expect(form.getByText('This address holds 5 and gets the role.')).toBeVisible()
  await form.getByLabel('Minimum amount').fill('6')
  await form.getByRole('button', { name: 'Test', exact: true }).press('Enter')
  await expect(form.getByText('This address holds 5, which is not enough.')).toBeVisible()
  await form.getByRole('button', { name: 'Create', exact: true }).click()
  await expect(page.getByText('Token gate created')).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(4)
  await expect(page.getByRole('heading', { name, level: 2 })).toBeVisible()

  await page.getByRole('button', { name: `Details: ${name}` }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('dialog').getByLabel('Minimum amount').fill('5')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Token gate saved')).toBeVisible()
  const { results } = await asMaster(page, 'GET', `/tokenGates?role=${encodeURIComponent(name)}`)
  expect(results.map(({ amount }: { amount: string }) => amount)).toEqual(['5'])
  await page.getByRole('button', { name: `Details: ${name}` }).click()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByText('Token gate deleted')).toBeVisible()
})

test('task: end one session, and all sessions of a wallet’s user in 3 clicks', async ({ page, api }) => {
  const { clicks } = await begin(page)
  const { objectId, username } = await makeUser(page)
  const openSession = async () => (await api.logIn({ username, password })).sessionToken as string
  const tokens = [await openSession(), await openSession()]
  const countOpen = async () => {
    const answers = await Promise.all(tokens.map((each) => api.me(each)))
    return answers.filter(({ objectId: own }) => own === objectId).length
  }
  await page.goto(`/admin/users/${objectId}`)
  const sessions = page.getByRole('list', { name: 'Sessions' })
  await expect(sessions.getByRole('listitem')).toHaveCount(3)
  const before = clicks()
  await sessions
    .getByRole('button', { name: /^End session/ })
    .first()
    .click()
  await expect(page.getByText('Session ended')).toBeVisible()
  await expect(sessions.getByRole('listitem')).toHaveCount(2)
  expect(clicks() - before).toBe(1)
  expect(await countOpen()).toBe(1)

  await page.goto('/admin')
  const start = clicks()
  await navigation(page).getByRole('link', { name: 'Users', exact: true }).click()
  await page.getByRole('searchbox', { name: 'Search users' }).fill(username)
  await page.keyboard.press('Enter')
  await page.getByLabel(`Select ${username}`).press('Space')
  await page.getByRole('button', { name: 'End sessions' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End sessions' }).click()
  await expect(page.getByText('1 user changed')).toBeVisible()
  expect(clicks() - start).toBeLessThanOrEqual(3)
  expect(await countOpen()).toBe(0)
})

test('task: test mail in 2 clicks', async ({ page }) => {
  const { clicks, objectId } = await begin(page)
  const email = `${newName()}@example.com`
  await asMaster(page, 'PUT', `/users/${objectId}`, { email })
  await navigation(page).getByRole('link', { name: 'Emails' }).click()
  await page.getByRole('button', { name: 'Send test email' }).click()
  await expect(page.getByText(`Test email sent to ${email}.`)).toBeVisible()
  expect(clicks()).toBeLessThanOrEqual(2)
})

test('task: from the palette to a user by typing alone, by name and email', async ({ page }) => {
  const { clicks } = await begin(page)
  const email = `${newName()}@example.com`
  const { objectId, username } = await makeUser(page, { email })
  for (const text of [username, email]) {
    await page.goto('/admin')
    await page.getByRole('heading', { name: 'Console overview' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill(text)
    const option = page.getByRole('option', { name: `${username} · ${email}`, exact: true, selected: true })
    await expect(option).toBeVisible()
    await page.keyboard.press('Enter')
    await expect(page).toHaveURL(`/admin/users/${objectId}`)
  }
  expect(clicks()).toBe(0)
})

test('the palette of other users sends no request to the console', async ({ page }) => {
  await enter(page, newName())
  await page.goto('/')
  await page.getByRole('heading', { level: 1 }).waitFor()
  const asked: string[] = []
  page.on('request', (request) => request.url().includes('/console/') && asked.push(request.url()))
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('ada')
  await expect(page.getByRole('option', { name: /Search the explorer/ })).toBeVisible()
  await page.waitForTimeout(1_000)
  expect(asked).toEqual([])
})
