import { addTestWallet } from '@countersign/react/testing'
import type { Page } from '@playwright/test'
import { expect, appTest as test } from '../lib/appTest.ts'

const text = (page: Page, id: string) => page.locator(`#${id}`)
const click = (page: Page, name: string | RegExp) => page.getByRole('button', { name, exact: true }).click()

test('a page with wagmi 3 keeps its wallet button and signs in with our session', async ({ page, context, open }) => {
  const wallet = await addTestWallet(context, { name: 'Paper Wallet' })
  const [address = '', other = ''] = wallet.addresses.map((one) => one.toLowerCase())
  await open(page, 'wagmi')
  await expect(text(page, 'session')).toHaveText('unauthenticated')
  await expect(text(page, 'wallet')).toHaveText('disconnected')
  await click(page, 'Sign in')
  await expect(text(page, 'error')).not.toHaveText('')
  expect(wallet.requests().map(({ method }) => method)).not.toContain('personal_sign')

  await click(page, 'wagmi: Paper Wallet')
  await expect(text(page, 'wallet')).toHaveText('connected')
  await expect(text(page, 'account')).toHaveText(new RegExp(address, 'i'))
  wallet.rejectNext()
  await click(page, 'Sign in')
  await expect(text(page, 'error')).toHaveText(/\(4001\)$/)
  await click(page, 'Sign in')
  await expect(text(page, 'session')).toHaveText('authenticated')
  await expect(text(page, 'user')).toHaveText(address)

  await wallet.switchChain(137)
  await expect(text(page, 'chain')).toHaveText('137')
  await wallet.switchAccount(1)
  await expect(text(page, 'account')).toHaveText(new RegExp(other, 'i'))
  await expect(text(page, 'session')).toHaveText('authenticated')
  await wallet.switchAccount(0)

  wallet.clear()
  await page.reload()
  await expect(text(page, 'wallet')).toHaveText('connected')
  await expect(text(page, 'account')).toHaveText(new RegExp(address, 'i'))
  await expect(text(page, 'session')).toHaveText('authenticated')
  expect(wallet.prompts(), 'nothing is asked on reload').toEqual([])

  await click(page, /^wagmi: disconnect/)
  await expect(text(page, 'wallet')).toHaveText('disconnected')
  await expect(text(page, 'session')).toHaveText('authenticated')

  await click(page, 'wagmi: Paper Wallet')
  await expect(text(page, 'wallet')).toHaveText('connected')
  await click(page, 'Disconnect')
  await expect(page.getByRole('button', { name: 'wagmi: Paper Wallet' }), 'wagmi hears of it').toBeVisible()
  await expect(text(page, 'wallet')).toHaveText('disconnected')
})

test('one click opens the page’s own choice of wallets and signs in', async ({ page, context, open }) => {
  // Most wallets cannot revoke a permission, so they emit no event when the page disconnects.
  await context.addInitScript(() =>
    window.addEventListener('eip6963:announceProvider', (event) => {
      const { provider } = (event as CustomEvent).detail
      const { request } = provider
      provider.request = async (call: { method: string }) => {
        if (call.method === 'wallet_revokePermissions') throw { code: 4200, message: 'Not supported' }
        return request(call)
      }
    }),
  )
  const wallet = await addTestWallet(context, { name: 'Paper Wallet' })
  await open(page, 'wagmi')
  await expect(text(page, 'session')).toHaveText('unauthenticated')
  wallet.rejectNext()
  await click(page, 'Sign in by wagmi')
  await expect(text(page, 'error')).toHaveText(/rejected/i)
  await click(page, 'Sign in by wagmi')
  await expect(text(page, 'session')).toHaveText('authenticated')
  await expect(text(page, 'user')).toHaveText(wallet.addresses[0]?.toLowerCase() ?? '')
  await expect(page.getByRole('button', { name: /^wagmi: disconnect/ })).toBeVisible()
  await expect(text(page, 'wallet')).toHaveText('connected')
  await click(page, 'Disconnect')
  await expect(page.getByRole('button', { name: 'wagmi: Paper Wallet' }), 'wagmi hears of it').toBeVisible()
  await expect(text(page, 'wallet')).toHaveText('disconnected')
})
