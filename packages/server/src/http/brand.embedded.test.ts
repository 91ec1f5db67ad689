import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { brandColors, brandSchema, contrast, listLowContrastColors } from '../config/brandSettings.ts'
import { readConfig } from '../config/readConfig.ts'
import { createTestServer } from '../testing/createTestServer.ts'
import { createPage, loadBrand } from './registerBrand.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'countersign-brand-'))
  await writeFile(join(folder, 'logo.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>')
  await writeFile(join(folder, 'huge.png'), Buffer.alloc(600 * 1024))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const blue = { light: { accent: '#1d4ed8' }, dark: { accent: '#8fb4ff' } }

test('the page gets the brand, and what it names is served', async () => {
  const server = await createTestServer({
    appName: 'Acme',
    brand: brandSchema.parse({
      logo: pathToFileURL(join(folder, 'logo.svg')).href,
      logoDark: '/server/files/dark.png',
      colors: blue,
      texts: {
        tagline: 'All of Acme',
        signInTitle: { en: 'Welcome to Acme', de: 'Willkommen bei Acme' },
        termsUrl: { fr: 'https://acme.example/fr/terms', en: 'https://acme.example/terms' },
      },
    }),
  })
  const { brand, appName } = (await (await fetch(`${server.url}/config.json`)).json()) as {
    appName: string
    brand: { logo: string }
  }
  expect(appName).toBe('Acme')
  expect(brand).toMatchObject({
    logo: expect.stringMatching(/^\/brand\/[0-9a-f]{12}-logo\.svg$/),
    logoDark: '/server/files/dark.png',
    tagline: 'All of Acme',
    signInTitle: { en: 'Welcome to Acme', de: 'Willkommen bei Acme' },
    termsUrl: { fr: 'https://acme.example/fr/terms', en: 'https://acme.example/terms' },
  })
  const logo = await fetch(server.url + brand.logo)
  expect(logo.headers.get('content-type')).toBe('image/svg+xml')
  expect(logo.headers.get('content-security-policy')).toContain('sandbox')
  expect(await logo.text()).toContain('<svg')
  const sheet = await fetch(`${server.url}/brand.css`)
  expect(sheet.headers.get('content-type')).toBe('text/css; charset=utf-8')
  const css = await sheet.text()
  expect(css).toContain('--color-accent:light-dark(#1d4ed8,#8fb4ff)')
  expect(css).toContain('--cs-on-accent:light-dark(#ffffff,')
  const settings = await server.call('GET', '/console/settings', undefined, { master: true })
  expect(settings.text).toContain('Willkommen bei Acme')
  await server.stop()
})

test('our own colors are legible, and a check that a fault is found is not a check that finds none', () => {
  expect(listLowContrastColors('light', {})).toEqual([])
  expect(listLowContrastColors('dark', {})).toEqual([])
  expect(contrast('#777777', '#ffffff')).toBeCloseTo(4.48, 2)
  expect(contrast('#000', '#fff')).toBe(21)
})

test.each([
  ['light', { accent: '#7fd4ff' }, 'accent'],
  ['light', { accent: '#ffcc00' }, 'accent'],
  ['dark', { accent: '#3a1d8c' }, 'accent'],
  ['light', { muted: '#aaaaaa' }, 'muted'],
  ['light', { edge: '#e0e0e0' }, 'edge'],
  ['dark', { paper: '#777777' }, 'paper'],
  ['light', { accent: '#1d4ed8', onAccent: '#333333' }, 'onAccent'],
] as const)('%s %o cannot be read, and what is put in its place can', (scheme, set, setting) => {
  const fault = listLowContrastColors(scheme, set).find((found) => found.setting === setting)
  expect(fault?.message).toMatch(/contrast of \d+\.\d:1\. It needs at least [\d.]+:1/)
  const fix = fault?.message.match(/Use (#[0-9a-f]{6})\.$/)?.[1]
  expect(fix).toBeDefined()
  expect(listLowContrastColors(scheme, { ...set, [setting]: fix })).toEqual([])
})

test('an illegible brand stops the start, with a fix', async () => {
  const start = (brand: unknown) => readConfig({ flags: { brand }, environment: {}, folder })
  await expect(start({ colors: { light: { accent: '#7fd4ff' } } })).rejects.toThrow(
    /brand\.colors\.light\.accent .*accent #7fd4ff on paper #f7f5f0 has a contrast of 1\.5:1.*Use #[0-9a-f]{6}/,
  )
  await expect(start({ colors: { light: { accent: 'red;}body{display:none' } } })).rejects.toThrow(/such as #0f6b64/)
  await expect(start({ logo: 'https://cdn.example/logo.svg' })).rejects.toThrow(
    /the page loads nothing from other hosts/,
  )
  await expect(start({ logo: '//cdn.example/logo.svg' })).rejects.toThrow(/the page loads nothing from other hosts/)
  await expect(start({ texts: { termsUrl: 'javascript:alert(1)' } })).rejects.toThrow(/https:\/\/ or mailto:/)
  await expect(start({ texts: { slogan: 'x' } })).rejects.toThrow(/slogan/)
})

test.each([
  [
    { signInTitle: { en: 'Welcome', tlh: 'nuqneH' } },
    /texts\.signInTitle\.tlh .*is not a language .*en, de, es, fr, pt/,
  ],
  [{ signInTitle: { de: 'w'.repeat(61) } }, /texts\.signInTitle\.de .*60/],
  [{ signInTitle: 'w'.repeat(61) }, /texts\.signInTitle .*60/],
  [{ signInTitle: { en: ' ' } }, /texts\.signInTitle\.en/],
  [{ signInTitle: {} }, /in at least one language/],
  [{ signInTitle: 7 }, /a text, or one for each language, such as \{ en:/],
  [{ intro: ['Welcome'] }, /a text, or one for each language/],
  [{ footer: { en: { de: 'x' } } }, /texts\.footer/],
  [{ termsUrl: { de: 'javascript:alert(1)' } }, /texts\.termsUrl\.de .*https:\/\/ or mailto:/],
  [{ tagline: JSON.parse('{"__proto__": "x"}') }, /texts\.tagline/],
] as const)('texts that are refused: %j', async (texts, sentence) => {
  await expect(readConfig({ flags: { brand: { texts } }, environment: {}, folder })).rejects.toThrow(sentence)
})

test('a logo that is missing, too heavy or no picture is named at the start', async () => {
  const load = (logo: string) => loadBrand({ texts: {}, logo })
  await expect(load('./nowhere.svg')).rejects.toThrow(/brand\.logo: the file .* cannot be read/)
  await expect(load('./logo.txt')).rejects.toThrow(/not an image/)
  await expect(load(pathToFileURL(join(folder, 'huge.png')).href)).rejects.toThrow(/600 kB, and every visitor loads it/)
})

test('the page has the name, the style sheet and the icon in its head, and no markup gets in', async () => {
  const brand = await loadBrand(brandSchema.parse({ colors: blue }))
  const html =
    '<head><meta name="theme-color" content="#000" /><title>Account</title><link rel="icon" href="/favicon.svg" /></head>'
  const page = createPage(html, 'A&B </title><script>$&', brand).plain.toString()
  expect(page).toContain('<title>A&#38;B &#60;/title&#62;&#60;script&#62;$&#38;</title>')
  expect(page).toContain(`<link rel="stylesheet" href="${brand.sheet}" />`)
  expect(page).toMatch(/<link rel="icon" href="\/brand\/[0-9a-f]{12}-icon\.svg" \/>/)
  expect(page).toContain(`data-dark="${brandColors.dark.paper}"`)
})
