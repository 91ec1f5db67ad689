const mostHeight = 2000

/**
 * A picture as WebP, a fraction of what a PNG weighs. A very long page is cut: its end looks like its middle.
 *
 * @param {import('@playwright/test').Page} page
 * @param {{ isWhole: boolean, scale: number }} options whole: not only what is in view
 * @returns {Promise<Buffer>}
 */
export async function takePicture(page, { isWhole, scale }) {
  await page.evaluate(() => document.fonts.ready)
  if (isWhole) {
    // Lists have in the page what is in view, and a browser that draws beyond that moves what it draws.
    const width = page.viewportSize()?.width ?? 1280
    const height = await page.evaluate(() => Math.max(window.innerHeight, document.documentElement.scrollHeight))
    await page.setViewportSize({ width, height: Math.min(height, mostHeight) })
    await page.evaluate(() => window.scrollTo(0, 0))
  }
  await page.waitForTimeout(isWhole ? 800 : 400)
  const { width, height, y } = await page.evaluate(() => ({
    width: document.documentElement.clientWidth,
    height: window.innerHeight,
    y: window.scrollY,
  }))
  const client = await page.context().newCDPSession(page)
  const { data } = await client.send('Page.captureScreenshot', {
    format: 'webp',
    quality: 62,
    captureBeyondViewport: false,
    // Counted from the top of the page, not of what is in view.
    clip: { x: 0, y, width, height, scale },
  })
  await client.detach()
  return Buffer.from(data, 'base64')
}
