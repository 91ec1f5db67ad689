import { fileURLToPath, pathToFileURL } from 'node:url'
import { listViolations } from '../lib/listViolations.ts'
import { expect, serve, test } from '../lib/test.ts'

const picture = pathToFileURL(fileURLToPath(new URL('../../apps/web/public/favicon.svg', import.meta.url))).href

serve({
  appName: 'Acme Bank',
  docs: false,
  brand: {
    logo: picture,
    logoDark: picture,
    icon: picture,
    colors: {
      light: { accent: '#1d4ed8', paper: '#f4f6fb' },
      dark: { accent: '#9dbcff', paper: '#0d1220', surface: '#161c2c' },
    },
    texts: {
      tagline: 'All of Acme with one key',
      intro: 'The account of every Acme shop.',
      signInTitle: 'Welcome to Acme',
      footer: 'Acme Bank, Main Street 1',
      termsUrl: 'https://acme.example/terms',
      privacyUrl: '/privacy',
      supportUrl: 'mailto:help@acme.example',
    },
  },
})

const colourOf = (selector: string, property: string) =>
  [
    ([at, name]: [string, string]) => {
      const element = document.querySelector(at)
      return element && getComputedStyle(element).getPropertyValue(name)
    },
    [selector, property] as [string, string],
  ] as const

for (const scheme of ['light', 'dark'] as const)
  test(`a brand by configuration: name, logo, colors and texts, ${scheme}`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: scheme })
    // The page is painted before the application has come: the ground and the title are right already.
    await page.route('**/assets/*.js', async (route) => {
      await new Promise((resolve) => setTimeout(resolve, 400))
      await route.continue()
    })
    await page.goto('/', { waitUntil: 'commit' })
    await expect.poll(() => page.evaluate(...colourOf('body', 'background-color'))).toMatch(/rgb/)
    const ground = scheme === 'light' ? 'rgb(244, 246, 251)' : 'rgb(13, 18, 32)'
    await expect.poll(() => page.evaluate(...colourOf('body', 'background-color'))).toBe(ground)
    await expect(page).toHaveTitle('Acme Bank')
    await expect(page.getByRole('heading', { name: 'All of Acme with one key' })).toBeVisible()
    await expect(page.getByText('The account of every Acme shop.')).toBeVisible()
    await expect(page.getByText('Acme Bank, Main Street 1')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Terms' })).toHaveAttribute('href', 'https://acme.example/terms')
    await expect(page.getByRole('link', { name: 'Support' })).toHaveAttribute('href', 'mailto:help@acme.example')
    const logo = page.getByRole('banner').locator('img:visible')
    await expect(logo).toHaveCount(1)
    expect(await logo.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0)
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', /^\/brand\/[0-9a-f]{12}-icon\.svg$/)
    const accent = scheme === 'light' ? 'rgb(29, 78, 216)' : 'rgb(157, 188, 255)'
    const button = page.getByRole('main').getByRole('link', { name: 'Create your account' })
    await expect(button).toHaveCSS('background-color', accent)
    expect(await listViolations(page)).toEqual([])

    await page.goto('/sign-in')
    await expect(page.getByRole('heading', { name: 'Welcome to Acme' })).toBeVisible()
    await page.getByRole('main').getByRole('button', { name: 'Sign in with a wallet' }).click()
    await expect(page.getByRole('dialog')).toBeVisible()
    expect(await listViolations(page, { rules: ['color-contrast'] })).toEqual([])
    await page.goto('/sign-up')
    await expect(page.getByRole('link', { name: 'how we handle your data' })).toHaveAttribute('href', '/privacy')
  })

test('the documentation can be left out', async ({ page }) => {
  await page.goto('/docs')
  await expect(page).toHaveTitle(/Acme Bank/)
  expect((await page.request.get('/docs/site.css')).status()).toBe(404)
  // And so no screen leads there.
  expect(await (await page.request.get('/config.json')).json()).not.toHaveProperty('docs')
})
