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

/** Slow, refused, rate-limited and unreachable: each is shown in words, and the page recovers. */
export async function expectFailures({ page, request, path, waiting, isThere }: Failing): Promise<void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const fail = (status: number, code: number, error: string, headers: Record<string, string> = {}) =>
    page.route(request, (route) => route.fulfill({ status, headers, json: { code, error } }))
  const retry = page.getByRole('button', { name: 'Try again', exact: true })
  const recover = async () => {
    // The page may have recovered before the click.
    await retry
      .first()
      .click({ timeout: 5_000 })
      .catch(() => {})
    await isThere()
  }

  await page.clock.install()
  await page.route(request, async (route) => {
    await held
    await route.continue()
  })
  await page.goto(path)
  await expect(page.getByText(waiting).first()).toBeAttached()
  release()
  await isThere()

  await page.unroute(request)
  await fail(400, 100, 'No node of this chain is responding. Try again later.')
  await page.goto(path)
  await expect(page.getByRole('alert').first()).toBeVisible()
  await page.unroute(request)
  await recover()

  await fail(429, 155, 'Too many reads of chains. Try again in a minute.', { 'Retry-After': '600' })
  await page.goto(path)
  await expect(page.getByRole('alert').first()).toContainText('Too many reads of chains.')
  await expect(page.getByRole('button', { name: /^Try again in \d+ s$/ }).first()).toBeDisabled()
  await page.unroute(request)
  await page.clock.fastForward(600_000)
  await recover()
}
