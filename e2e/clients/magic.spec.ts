import type { Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, appTest as test } from '../lib/appTest.ts'
import { startMagic } from '../lib/servers/startMagic.ts'

const account = privateKeyToAccount(generatePrivateKey())
let magic: Awaited<ReturnType<typeof startMagic>>
test.beforeAll(async () => {
  magic = await startMagic(account)
})
test.afterAll(() => magic.stop())

const text = (page: Page, id: string) => page.locator(`#${id}`)
const click = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

test('R13: an e-mail address signs in with Magic, stays after a reload, and leaves', async ({ page, open }) => {
  await open(page, 'magic', { endpoint: magic.endpoint })
  await expect(text(page, 'session')).toHaveText('unauthenticated')
  await expect(text(page, 'wallet')).toHaveText('disconnected')
  expect(magic.calls, 'nobody is called before a click').toEqual([])
  await expect(page.locator('iframe')).toHaveCount(0)

  await click(page, 'Sign in')
  await expect(text(page, 'error')).toHaveText('"email" not provided, please provide Email')

  await page.getByLabel('Email').fill('ada@example.org')
  magic.person.answer = 'deny'
  await click(page, 'Sign in')
  await expect(text(page, 'error')).toHaveText(/\(4001\)$/)

  magic.person.answer = 'sign'
  await click(page, 'Sign in')
  await expect(text(page, 'session')).toHaveText('authenticated')
  await expect(text(page, 'user')).toHaveText(account.address.toLowerCase())
  await expect(text(page, 'chain')).toHaveText('1')

  await page.reload()
  await expect(text(page, 'wallet')).toHaveText('connected')
  await expect(text(page, 'account')).toHaveText(new RegExp(account.address, 'i'))

  magic.person.answer = 'deny'
  await click(page, 'Sign in')
  await expect(text(page, 'error')).toHaveText(/\(4001\)$/)
  magic.person.answer = 'sign'

  await click(page, 'Disconnect')
  await expect(text(page, 'wallet')).toHaveText('disconnected')
  await expect.poll(() => magic.calls.at(-1)).toBe('magic_auth_logout')
})
