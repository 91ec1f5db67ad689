import { listViolations } from '../lib/listViolations.ts'
import { expect, serve, test } from '../lib/test.ts'

serve()

test('the documentation is read, searched and leads on', { tag: ['@both', '@main'] }, async ({ page }) => {
  await page.goto('/docs')
  await expect(page).toHaveURL(/\/docs\/$/)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await listViolations(page)).toEqual([])

  await page.getByRole('searchbox').fill('how do I uplaod a file?')
  await expect(page.locator('#results a').first()).toContainText('Files')
  await page.getByRole('searchbox').fill('useLiveDocuments')
  await expect(page.locator('#results a').first()).toContainText('useLiveDocuments')
  await page.getByRole('searchbox').press('Enter')
  await expect(page).toHaveURL(/\/docs\/reference\/react#uselivedocuments$/)
  await expect(page.getByRole('heading', { name: 'useLiveDocuments', exact: true })).toBeInViewport()
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)
  expect(wider).toBeLessThanOrEqual(0)

  // From a page in a folder to another, by the list of pages.
  const menu = page.getByRole('button', { name: 'Menu' })
  if (await menu.isVisible()) await menu.click()
  const pages = page.getByRole('navigation', { name: 'Pages' })
  const passkeys = pages.getByRole('link', { name: 'Passkeys' })
  if (!(await passkeys.isVisible())) await pages.getByText('Sign-in and accounts', { exact: true }).click()
  await passkeys.click()
  await expect(page).toHaveURL(/\/docs\/passkeys$/)
  await expect(page.getByRole('heading', { level: 1, name: 'Passkeys' })).toBeVisible()
  expect(await listViolations(page)).toEqual([])
})

test('the picture on the first page moves, until it is paused or where people want nothing to move', async ({
  page,
}) => {
  const picture = page.getByRole('main').locator('picture img')
  const shown = () => picture.evaluate((image) => (image instanceof HTMLImageElement ? image.currentSrc : ''))
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto('/docs/')
  await expect.poll(shown).toMatch(/\/docs\/tour\.webp$/)
  await expect.poll(() => picture.evaluate((image) => Object(image).naturalWidth)).toBeGreaterThan(600)
  await page.getByRole('button', { name: 'Pause' }).click()
  await expect.poll(shown).toMatch(/\/docs\/tour\.still\.webp$/)
  expect(await listViolations(page)).toEqual([])
  await page.getByRole('button', { name: 'Play' }).click()
  await expect.poll(shown).toMatch(/\/docs\/tour\.webp$/)

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.reload()
  await expect.poll(shown).toMatch(/\/docs\/tour\.still\.webp$/)
  await expect(page.getByRole('button', { name: 'Play' })).toBeVisible()
})

test('the documentation is used by the keyboard alone', async ({ page }) => {
  await page.goto('/docs/configuration')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('/')
  await expect(page.getByRole('searchbox')).toBeFocused()
  await page.keyboard.type('trustProxy')
  await expect(page.locator('#results a').first()).toContainText('trustProxy')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/docs\/configuration#trustProxy$/)
  await expect(page.locator('tr[id=trustProxy]')).toBeInViewport()
  await page.keyboard.press('/')
  await page.keyboard.press('Escape')
  await expect(page.locator('#results')).toBeHidden()
})

test('light and dark are chosen and kept, with the web application', async ({ page }) => {
  await page.goto('/docs/wallets')
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'light dark')
  await page.getByRole('button', { name: 'Switch between light and dark' }).click()
  await page.reload()
  await expect(page.locator('html')).toHaveCSS('color-scheme', 'dark')
  expect(await listViolations(page)).toEqual([])
  await page.goto('/')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
})

test('code is copied', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto('/docs/token-gates')
  await page.locator('.code').first().hover()
  await page.getByRole('button', { name: 'Copy' }).first().click()
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^curl -X POST/)
})

test('a link to a heading or a page that moved leads to its new place', { tag: '@main' }, async ({ page }) => {
  await page.goto('/docs/passkeys.html#on-the-wire')
  await expect(page).toHaveURL(/\/docs\/passkeys#http-api$/)
  await expect(page.getByRole('heading', { name: 'HTTP API' })).toBeInViewport()
  await page.goto('/docs/aggregates#plans-and-slow-queries')
  await expect(page).toHaveURL(/\/docs\/queries#slow-queries$/)
  await page.goto('/docs/operations#restore')
  await expect(page).toHaveURL(/\/docs\/backups#restore$/)
  await page.goto('/docs/operations.html')
  await expect(page).toHaveURL(/\/docs\/deploy$/)
  await page.goto('/docs/queries#never-published')
  await expect(page).toHaveURL(/#never-published$/)
})

test('the web application knows that there is documentation', async ({ page }) => {
  expect(await (await page.request.get('/config.json')).json()).toHaveProperty('docs', true)
})

test('no path leads out of the documentation', async ({ page }) => {
  for (const path of ['%2e%2e/index.js', '..%2findex.js', '..%5cindex.js', '%00', 'none', 'reference/', 'wallets/'])
    expect((await page.request.get(`/docs/${path}`)).status()).toBe(404)
})

test('the first page of a started server leads to the documentation and the console', async ({ page }) => {
  await page.goto('/')
  const links = page.getByRole('navigation', { name: 'For development only' })
  await links.getByRole('link', { name: 'Documentation' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Quick start' })).toBeVisible()
  await page.goto('/')
  await links.getByRole('link', { name: 'Console' }).click()
  await expect(page).toHaveURL(/\/admin|\/sign-in/)
})
