import { chromiumOptions } from '../lib/chromiumOptions.mjs'
import { enter } from '../lib/steps/enter.ts'
import { goTo } from '../lib/steps/goTo.ts'
import { newName } from '../lib/steps/newName.ts'
import { openSheet } from '../lib/steps/openSheet.mjs'
import { password } from '../lib/steps/password.mjs'
import { expect, serve, test } from '../lib/test.ts'

serve()

// The room beside a short page is there only with scrollbars.
test.use({ launchOptions: { ...chromiumOptions, ignoreDefaultArgs: ['--hide-scrollbars'] } })

test('with the server away a page stays, says so, and goes on when the server is back', async ({ page, watch }) => {
  const username = newName()
  await enter(page, username)
  await page.goto('/account/profile')
  await expect(page.getByLabel('Username')).toHaveValue(username)
  await page.route('**/*', (route) => route.abort('connectionrefused'))
  await goTo(page, 'Wallets')
  await expect(page.getByText('The server isn’t responding.')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'This page can’t start yet' })).toHaveCount(0)
  await expect(page.getByLabel('Username')).toHaveValue(username)
  await page.unroute('**/*')
  await expect(page.getByRole('heading', { name: 'Wallets', level: 1 })).toBeVisible()
  await expect(page.getByText('The server isn’t responding.')).toHaveCount(0)
  watch.faults.length = 0
})

test('a page offline stays when another is asked for', async ({ page, context, watch }) => {
  await enter(page, newName())
  await page.goto('/account/profile')
  await expect(page.getByLabel('Username')).toBeVisible()
  await context.setOffline(true)
  await goTo(page, 'Activity')
  await expect(page.getByText('You’re offline.')).toBeVisible()
  await expect(page.getByLabel('Username')).toBeVisible()
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'Activity', level: 1 })).toBeVisible()
  watch.faults.length = 0
})

test('a sign-out everywhere ends another page at once', async ({ page, api }) => {
  const username = newName()
  await enter(page, username)
  const live = page.waitForEvent('websocket')
  await page.goto('/account/profile')
  const socket = await live
  await socket.waitForEvent('framereceived', { predicate: ({ payload }) => String(payload).includes('subscribed') })
  const { sessionToken } = await api.logIn({ username, password })
  await api.call('POST', '/revokeOtherSessions', {}, { token: sessionToken })
  await expect(page).toHaveURL('/sign-in?next=%2Faccount%2Fprofile', { timeout: 5_000 })
  await expect(page.getByText('You were signed out.')).toBeVisible()
})

test('an open sheet dims the page up to its right edge', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 1600 })
  await page.goto('/')
  await openSheet(page)
  // One pixel of the room for a scrollbar and one of the page.
  const look = async (x: number) => {
    const clip = { x, y: 5, width: 1, height: 1 }
    const source = `data:image/png;base64,${(await page.screenshot({ clip })).toString('base64')}`
    return page.evaluate(async (src) => {
      const image = Object.assign(new Image(), { src })
      await image.decode()
      const canvas = new OffscreenCanvas(1, 1).getContext('2d')
      canvas?.drawImage(image, 0, 0)
      return (canvas?.getImageData(0, 0, 1, 1).data[0] ?? 0) as number
    }, source)
  }
  await expect.poll(async () => Math.abs((await look(1279)) - (await look(640)))).toBeLessThan(4)
})

test('no text of the security page runs into its button, in German on a phone', async ({ page }) => {
  await enter(page, newName())
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto('/account/profile')
  await page.getByLabel('Language').first().selectOption('de')
  await page.goto('/account/security')
  await expect(page.getByRole('heading', { name: 'Wiederherstellungscodes' })).toBeVisible()
  const overlaps = await page.getByRole('main').evaluate((main) =>
    [...main.querySelectorAll('h3')].flatMap((heading) => {
      const range = document.createRange()
      range.selectNodeContents(heading)
      const words = range.getBoundingClientRect()
      const row = heading.closest('li')
      return [...(row?.querySelectorAll('button, a') ?? [])]
        .map((button) => button.getBoundingClientRect())
        .filter(
          (box) =>
            box.width > 0 &&
            box.left < words.right &&
            words.left < box.right &&
            box.top < words.bottom &&
            words.top < box.bottom,
        )
        .map(() => heading.textContent)
    }),
  )
  expect(overlaps).toEqual([])
})
