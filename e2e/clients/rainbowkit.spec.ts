import { addTestWallet } from '@countersign/react/testing'
import type { Page } from '@playwright/test'
import { expect, appTest as test } from '../lib/appTest.ts'

const text = (page: Page, id: string) => page.locator(`#${id}`)

test('RainbowKit (with wagmi 2) signs in with our session by its own window', async ({ page, context, open }) => {
  const wallet = await addTestWallet(context, { name: 'Paper Wallet', evm: 'both', accounts: 3 })
  const address = wallet.addresses[0]?.toLowerCase() ?? ''
  await open(page, 'rainbowkit')
  await expect(text(page, 'session')).toHaveText('unauthenticated')
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await page.getByRole('button', { name: 'Paper Wallet' }).click()
  const window = page.getByRole('dialog')
  const sign = window.getByRole('button', { name: /sign message/i })
  await expect(sign).toBeVisible()
  await expect(text(page, 'wallet')).toHaveText('connected')

  wallet.rejectNext()
  await sign.click()
  await expect.poll(() => wallet.prompts().at(-1)?.method).toBe('personal_sign')
  await expect(text(page, 'session')).toHaveText('unauthenticated')
  expect(wallet.signed()).toEqual([])
  await sign.click()
  await expect(text(page, 'session')).toHaveText('authenticated')
  await expect(text(page, 'user')).toHaveText(address)
  await expect(window).toBeHidden()
  expect(wallet.signed()[0]).toContain('wants you to sign in with your Ethereum account')

  await page.reload()
  await expect(text(page, 'session')).toHaveText('authenticated')
  await expect(text(page, 'wallet')).toHaveText('connected')
  expect(wallet.signed(), 'nothing is signed again').toHaveLength(1)

  await wallet.switchChain(137)
  await expect(text(page, 'chain')).toHaveText('137')
  await expect(text(page, 'session')).toHaveText('authenticated')

  await page.getByRole('button', { name: 'Link the second account' }).click()
  await expect(text(page, 'done')).toHaveText('Link the second account')
  await wallet.switchAccount(1)
  await expect(text(page, 'account')).toHaveText(new RegExp(wallet.addresses[1] ?? '', 'i'))
  await expect(text(page, 'session'), 'the same person’s other account').toHaveText('authenticated')
  await wallet.switchAccount(2)
  await expect(text(page, 'session'), 'somebody else’s account').toHaveText('unauthenticated')
})

test('S22: an account that changes while it signs does not sign in by RainbowKit', async ({ page, context, open }) => {
  const wallet = await addTestWallet(context, { name: 'Paper Wallet', evm: 'both' })
  await open(page, 'rainbowkit')
  await page.getByRole('button', { name: 'Connect Wallet' }).click()
  await page.getByRole('button', { name: 'Paper Wallet' }).click()
  wallet.switchAccountWhileSigning(1)
  await page.getByRole('button', { name: /sign message/i }).click()
  await expect(page.getByText(/please retry/i)).toBeVisible()
  await expect(text(page, 'session')).not.toHaveText(/^authenticat/)
  expect(wallet.signed()).toHaveLength(1)
})
