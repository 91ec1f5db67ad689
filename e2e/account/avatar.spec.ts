import type { Page } from '@playwright/test'
import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { expect, serve, test } from '../lib/test.ts'

serve()

/** A picture of the given size, drawn by the page. */
async function draw(page: Page, width: number, height: number): Promise<Buffer> {
  const address = await page.evaluate(
    ([width, height]) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height })
      const brush = canvas.getContext('2d')
      if (brush) {
        brush.fillStyle = '#0a7d4f'
        brush.fillRect(0, 0, width, height)
      }
      return canvas.toDataURL('image/png')
    },
    [width, height] as const,
  )
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
}

test('R5: a picture is chosen, cut to a square, shown everywhere and after a reload, and removed', async ({ page }) => {
  const username = newName()
  await enter(page, username)
  await page.goto('/account/profile')
  const buffer = await draw(page, 900, 600)
  const sent = page.waitForRequest((request) => request.url().endsWith('/server/files/avatar'))
  await page.locator('input[type=file]').setInputFiles({ name: 'me.png', mimeType: 'image/png', buffer })
  expect((await sent).headers()['x-countersign-session']).toBe('cookie')
  await expect(page.getByText('Picture saved.')).toBeVisible()

  const pictures = page.locator('img[src*="/files/"]')
  await expect(pictures).toHaveCount(2)
  const shown = () => pictures.evaluateAll((images) => images.map((image) => (image as HTMLImageElement).naturalWidth))
  await expect.poll(shown).toEqual([64, 128])
  await page.reload()
  await expect(pictures).toHaveCount(2)
  await expect.poll(shown).toEqual([64, 128])

  // The original is a square that the page drew again.
  const address = (await pictures.first().getAttribute('src'))?.split('?')[0] ?? ''
  const original = await page.request.get(address)
  expect(original.headers()['content-type']).toBe('image/webp')
  expect(original.headers()['content-security-policy']).toContain('sandbox')

  await page.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('Picture removed.').hover()
  await expect(pictures).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(pictures).toHaveCount(2)
})

test('refuses a file that is not a picture', async ({ page }) => {
  await enter(page, newName())
  await page.goto('/account/profile')
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'x.png', mimeType: 'image/png', buffer: Buffer.from('<script>alert(1)</script>') })
  await expect(page.getByRole('alert')).toContainText('can’t display this file')
})
