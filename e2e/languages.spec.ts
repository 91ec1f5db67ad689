import { AxeBuilder } from '@axe-core/playwright'
import { expect, serve, test } from './lib/test.ts'

serve()

const languages = [
  { lang: 'de', dir: 'ltr', heading: 'Anmelden' },
  { lang: 'ja', dir: 'ltr', heading: 'サインイン' },
  { lang: 'ar', dir: 'rtl', heading: 'تسجيل الدخول' },
]

for (const { lang, dir, heading } of languages)
  test(`the sheet speaks ${lang} at once, without a flash of English, and fits a phone`, async ({ page }) => {
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
    const { violations } = await new AxeBuilder({ page }).include('dialog').analyze()
    expect(violations.map(({ id }) => id)).toEqual([])
  })
