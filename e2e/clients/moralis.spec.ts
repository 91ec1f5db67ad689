import { addTestWallet } from '@countersign/react/testing'
import type { Page } from '@playwright/test'
import { expect, appTest as test } from '../lib/appTest.ts'

const text = (page: Page, id: string) => page.locator(`#${id}`)
const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

/** Response to a click that reads or saves the user. The packages show a change before it is saved. */
async function save(page: Page, name: string): Promise<Record<string, unknown>> {
  const answered = page.waitForResponse(
    (response) => response.url().includes('/classes/_User/') && response.request().method() === 'POST',
  )
  await click(page, name)
  const answer = await (await answered).json()
  await expect(text(page, 'busy')).toHaveText('false')
  return answer
}

test.beforeEach(async ({ strangers }) => {
  // moralis-v1 requests these at every start, and has no setting to prevent it.
  for (const host of ['www.unpkg.com', 'internal-api.moralis.io']) {
    strangers.answers.set(host, (route) => route.abort())
  }
})

test('the unmodified moralis-v1 and react-moralis authenticate by wallet', async ({ page, context, open }) => {
  const wallet = await addTestWallet(context, { evm: 'legacy' })
  const address = wallet.addresses[0]?.toLowerCase() ?? ''
  await open(page, 'moralis')
  await expect(text(page, 'ready')).toHaveText('true')
  await expect(text(page, 'state')).toHaveText('unauthenticated')

  wallet.rejectNext()
  await click(page, 'Authenticate')
  await expect(text(page, 'state')).toHaveText('error')
  await click(page, 'Authenticate')
  await expect(text(page, 'state')).toHaveText('authenticated')
  await expect(text(page, 'ethAddress')).toHaveText(address)
  await expect(text(page, 'accounts')).toHaveText(JSON.stringify([address]))
  await expect(text(page, 'account')).toHaveText(address)
  await expect(text(page, 'token')).toHaveText('r:')
  expect(wallet.signed().at(-1)).toMatch(/^Hello from an older application\n\nId: /)
  const username = await text(page, 'username').textContent()

  await page.reload()
  await expect(text(page, 'state')).toHaveText('authenticated')
  await expect(text(page, 'ethAddress')).toHaveText(address)
  await save(page, 'Set city')
  await expect(text(page, 'city')).toHaveText('London')
  await click(page, 'Log out')
  await expect(text(page, 'state')).toHaveText('unauthenticated')

  await click(page, 'Authenticate')
  await expect(text(page, 'state')).toHaveText('authenticated')
  await expect(text(page, 'username')).toHaveText(username ?? '')
  await expect(text(page, 'city')).toHaveText('London')
  await expect(text(page, 'error')).toHaveText('')
})

test('the unmodified packages sign up, log in, refetch, change the user and log out', async ({
  page,
  context,
  open,
}) => {
  await addTestWallet(context, { evm: 'legacy' })
  await open(page, 'moralis')
  await expect(text(page, 'ready')).toHaveText('true')
  await click(page, 'Sign up')
  await expect(text(page, 'state')).toHaveText('authenticated')
  await expect(text(page, 'username')).toHaveText('grace')
  await expect(text(page, 'city')).toHaveText('Arlington')
  await click(page, 'Log out')
  await expect(text(page, 'state')).toHaveText('unauthenticated')

  await click(page, 'Log in wrongly')
  await expect(text(page, 'state')).toHaveText('error')
  await expect(text(page, 'error')).toHaveText('Invalid username/password.')
  await click(page, 'Log in')
  await expect(text(page, 'state')).toHaveText('authenticated')
  await expect(text(page, 'email')).toHaveText('grace@example.org')

  await save(page, 'Set city')
  await expect(text(page, 'city')).toHaveText('London')
  expect((await save(page, 'Refetch')).city).toBe('London')
  await expect(text(page, 'token')).toHaveText('r:')
  await page.reload()
  await expect(text(page, 'state')).toHaveText('authenticated')
  await expect(text(page, 'city')).toHaveText('London')
  await click(page, 'Log out')
  await expect(text(page, 'state')).toHaveText('unauthenticated')
  await page.reload()
  await expect(text(page, 'state')).toHaveText('unauthenticated')
})
