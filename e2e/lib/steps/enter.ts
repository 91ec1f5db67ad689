import { expect, type Page } from '@playwright/test'
import { password } from './password.mjs'

/**
 * Makes an account and signs its owner in, as the form does but without it: for tests of what comes after. The page is
 * left empty; go to the screen that is tested.
 */
export async function enter(page: Page, username: string, fields: Record<string, unknown> = {}): Promise<void> {
  const { appId } = await (await page.request.get('/config.json')).json()
  const response = await page.request.post('/server/users', {
    headers: { 'X-Parse-Application-Id': appId, 'X-Countersign-Session': 'cookie' },
    data: { username, password, ...fields },
  })
  expect(response.status()).toBe(201)
  // Stored parts of a page's session besides the cookie.
  const kept = JSON.stringify({ user: { username, ...(await response.json()) }, id: 'entered' })
  // An empty page of the same origin; one that names its icon asks for none.
  await page.route('**/empty', (route) =>
    route.fulfill({ contentType: 'text/html', body: '<link rel="icon" href="data:,">' }),
  )
  await page.goto('/empty')
  await page.unroute('**/empty')
  await page.evaluate(([key, value]) => localStorage.setItem(key, value), [
    `Countersign/${appId}/session`,
    kept,
  ] as const)
}
