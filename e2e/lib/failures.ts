import { expect, type Page } from '@playwright/test'

type Failing = {
  page: Page
  /** The request that fails. */
  request: string | RegExp
  path: string
  /** Text while loading. */
  waiting: string
  /** Checks the final content. */
  isThere: () => Promise<void>
}

/** Slow, refused, unreachable and rate-limited: each is shown in words. A refusal needs a click, the others do not. */
export async function expectFailures({ page, request, path, waiting, isThere }: Failing): Promise<void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const fail = (status: number, code: number, error: string, headers: Record<string, string> = {}) =>
    page.route(request, (route) => route.fulfill({ status, headers, json: { code, error } }))
  const retry = page.getByRole('button', { name: 'Try again', exact: true }).first()

  await page.clock.install()
  await page.route(request, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(path)
  await expect(page.getByText(waiting).first()).toBeAttached()
  release()
  await isThere()

  // A refusal is final: it stays until a retry by hand.
  await page.unroute(request)
  await fail(400, 102, 'The query is not valid.')
  await page.goto(path)
  await expect(page.getByRole('alert').first()).toBeVisible()
  // Pages that read again by the clock must not be faster than the click.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 1_000))
  await expect(retry).toBeVisible()
  await page.unroute(request)
  await retry.click()
  await page.clock.resume()
  await isThere()

  // An outage says nothing about the request: the page retries.
  await fail(400, 100, 'No node of this chain is responding. Try again later.')
  await page.goto(path)
  await expect(page.getByRole('alert').first()).toContainText('No node of this chain is responding.')
  await page.unroute(request)
  await page.clock.fastForward(60_000)
  await isThere()

  await fail(429, 155, 'Too many chain requests. Try again in a minute.', { 'Retry-After': '600' })
  await page.goto(path)
  await expect(page.getByRole('alert').first()).toContainText('Too many chain requests.')
  await expect(page.getByRole('button', { name: /^Try again in \d+ s$/ }).first()).toBeDisabled()
  await page.unroute(request)
  await page.clock.fastForward(600_000)
  await isThere()
}
