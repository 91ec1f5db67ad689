import { listViolations } from '../lib/listViolations.ts'
import { createOwner } from '../lib/steps/createOwner.mjs'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { signIn } from '../lib/steps/signIn.mjs'
import { expect, serve, test } from '../lib/test.ts'

serve()

test.describe('the application', () => {
  test.use({ locale: 'de-AT' })

  test('uses the language of the browser, then the one of the account on every device', async ({
    page,
    api,
    browser,
    baseURL,
  }) => {
    const html = page.locator('html')
    const username = await createOwner(api, newName())
    await page.goto('/sign-in')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Anmelden')
    await expect(html).toHaveAttribute('lang', 'de')
    await page.locator('input[autocomplete^="username"]').fill(username)
    await page.locator('input[autocomplete="current-password"]').fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('banner').getByRole('button', { name: username }).waitFor()
    await page.goto('/account/profile')
    await expect(page.getByRole('heading', { level: 1, name: 'Profil' })).toBeVisible()

    // Everything is rendered again, without a reload, and stays so.
    await page.evaluate(() => Object.assign(window, { isSame: true }))
    await page.getByLabel('Sprache').selectOption('ar')
    await expect(html).toHaveAttribute('dir', 'rtl')
    await expect(page.getByRole('heading', { level: 1, name: 'الملف الشخصي' })).toBeVisible()
    expect(await page.evaluate(() => 'isSame' in window)).toBe(true)
    await page.reload()
    await expect(page.getByRole('heading', { level: 1, name: 'الملف الشخصي' })).toBeVisible()
    await page.setViewportSize({ width: 360, height: 740 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    expect(await listViolations(page)).toEqual([])

    const elsewhere = await browser.newContext({ baseURL, locale: 'en-GB' })
    const other = await elsewhere.newPage()
    await signIn(other, username)
    await expect(other.locator('html')).toHaveAttribute('lang', 'ar')
    await elsewhere.close()
  })

  test('a language that cannot be fetched leaves English and says so', async ({ page, watch }) => {
    await page.route('**/*.json', (route) =>
      /\/de-.*\.json$/.test(route.request().url()) ? route.abort() : route.continue(),
    )
    await page.goto('/sign-in')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Sign in')
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    await expect(page.getByText('Your language could not be loaded.')).toBeVisible()
    expect(watch.faults.splice(0)).toEqual([expect.stringMatching(/de-.*\.json/)])
  })
})

const languages = [
  { lang: 'de', dir: 'ltr', heading: 'Anmelden' },
  { lang: 'ja', dir: 'ltr', heading: 'サインイン' },
  { lang: 'ar', dir: 'rtl', heading: 'تسجيل الدخول' },
]

for (const { lang, dir, heading } of languages)
  test(`the sheet is in ${lang} from the start, without a flash of English, and fits a phone`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 740 })
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.goto('/')
    await page.evaluate((tag) => {
      document.documentElement.lang = tag
      const seen: string[] = []
      Object.assign(window, { seen })
      new MutationObserver(() => {
        const text = document.querySelector('dialog h2')?.textContent
        if (text) seen.push(text)
      }).observe(document.body, { childList: true, subtree: true, characterData: true })
    }, lang)
    await page.getByRole('banner').getByRole('button', { name: 'Sign in', exact: true }).click()
    const sheet = page.getByRole('dialog', { name: heading, exact: true })
    await expect(sheet).toHaveAttribute('lang', lang)
    await expect(sheet).toHaveAttribute('dir', dir)
    const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
    expect([...new Set(seen)]).toEqual([heading])

    const close = await sheet.locator('.cs-header .cs-plain').last().boundingBox()
    expect((close?.x ?? 0) < 180, 'the closing cross stands at the end of the line').toBe(dir === 'rtl')
    expect(await sheet.evaluate((one) => one.scrollWidth - one.clientWidth)).toBe(0)
    expect(await listViolations(page, { within: 'dialog' })).toEqual([])
  })
