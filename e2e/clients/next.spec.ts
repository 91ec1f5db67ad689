import type { Page } from '@playwright/test'
import { startNext } from '../lib/servers/startNext.mjs'
import { startServer } from '../lib/servers/startServer.mjs'
import { expect, serveBy } from '../lib/test.ts'
import { walletTest as test } from '../lib/walletTest.ts'

/** The examples, each on the address of its pages, with the API behind it under the same address. */
for (const name of ['next-app', 'next-pages']) {
  test.describe(`examples/${name}`, () => {
    serveBy(() => startNext(name, (publicUrl) => startServer({ appId: 'example', publicUrl })))

    test('the first HTML shows who is signed in; nothing flashes, nothing is rendered twice', async ({
      page,
      browser,
      baseURL,
    }) => {
      const before = await readHtml(page)
      expect(before).toContain('Nobody is signed in')
      expect(before, 'the button is in the first HTML too').toContain('>Sign in</button>')
      const username = await signIn(page)

      const html = await readHtml(page)
      expect(html).toContain(username)
      expect(html).not.toContain('Nobody is signed in')
      expect(html).not.toContain('>Sign in</button>')
      expect(html, 'the token stays in the cookie').not.toMatch(/r:[0-9a-f]{16}|sessionToken/)

      const asked: string[] = []
      page.on('request', (request) => asked.push(new URL(request.url()).pathname))
      await page.addInitScript(noteTexts)
      await page.goto('/')
      await expect(page.getByRole('button', { name: 'Sign out' })).toBeEnabled()
      await page.waitForLoadState('networkidle')
      const seen = await page.evaluate(() => Object(window).seen as string[])
      expect(seen).toContain(`Hello, ${username}`)
      expect(seen.filter((text) => /Nobody|Sign in/.test(text))).toEqual([])
      expect(asked, 'the server that rendered the page has asked already').not.toContain('/server/users/me')

      const unscripted = await browser.newContext({
        baseURL,
        javaScriptEnabled: false,
        storageState: await page.context().storageState(),
      })
      const plain = await unscripted.newPage()
      await plain.goto('/')
      await expect(plain.getByRole('heading')).toHaveText(`Hello, ${username}`)
      await unscripted.close()
    })

    test('signing out is followed by the next HTML; the session ends in pages that were rendered before', async ({
      page,
      context,
    }) => {
      const username = await signIn(page)
      const other = await context.newPage()
      await other.goto('/')
      await expect(other.getByRole('heading')).toHaveText(`Hello, ${username}`)
      await page.getByRole('button', { name: 'Sign out' }).click()
      await expect(page.getByRole('heading')).toHaveText('Nobody is signed in')
      await expect(page.getByRole('button', { name: 'Sign in' })).toBeVisible()
      await expect(other.getByRole('button', { name: 'Sign in' })).toBeVisible()
      expect(await readHtml(page)).toContain('Nobody is signed in')
    })

    if (name !== 'next-pages') return
    test('R1, R2: one root wrapper that initializes on request, also on a page rendered beforehand', async ({
      page,
    }) => {
      const username = await signIn(page)
      expect(await readHtml(page, '/static')).toContain('One moment')
      await page.getByRole('link', { name: 'A page that was rendered beforehand' }).click()
      await expect(page.getByRole('heading')).toHaveText(`Hello, ${username}`)
      await page.reload()
      await expect(page.getByRole('heading')).toHaveText(`Hello, ${username}`)
    })
  })
}

async function readHtml(page: Page, path = '/'): Promise<string> {
  const answer = await page.context().request.get(path)
  // React marks with comments where texts meet.
  return (await answer.text()).replaceAll('<!-- -->', '')
}

async function signIn(page: Page): Promise<string> {
  await page.goto('/')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Test Wallet' }).click()
  await expect(page.getByRole('heading', { name: /^Hello, / })).toBeVisible()
  await expect(page.getByRole('dialog')).toBeHidden()
  return (await page.getByRole('heading', { name: /^Hello, / }).innerText()).slice('Hello, '.length)
}

/** Runs in the page, before anything else: notes every text that headings and buttons ever had. */
function noteTexts(): void {
  const seen: string[] = []
  Object.assign(window, { seen })
  new MutationObserver(() => {
    for (const element of document.querySelectorAll('button, h1')) {
      const text = element.textContent ?? ''
      if (!seen.includes(text)) seen.push(text)
    }
  }).observe(document, { childList: true, subtree: true, characterData: true })
}
