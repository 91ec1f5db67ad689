import type { Page } from '@playwright/test'
import { listViolations } from '../lib/listViolations.ts'
import { newName } from '../lib/steps/newName.ts'
import { openSheet } from '../lib/steps/openSheet.mjs'
import { expect, serve, test } from '../lib/test.ts'

serve({ emailCode: { enabled: true } })

/** The newest mail to an address, as the outbox shows it. */
async function readMail(page: Page, email: string): Promise<string> {
  const outbox = await page.context().newPage()
  await outbox.goto('/outbox')
  const mail = outbox.getByRole('region').filter({ hasText: email }).first()
  await expect(mail).toBeVisible()
  const text = (await mail.textContent()) ?? ''
  await outbox.close()
  return text
}

async function askForCode(page: Page, email: string): Promise<void> {
  await page.goto('/sign-in')
  await page.getByRole('link', { name: 'Email me a code' }).click()
  await expect(page.getByRole('heading', { name: 'Sign in with a code' })).toBeVisible()
  await page.getByLabel('Email').fill(email)
  await page.getByRole('button', { name: 'Send code' }).click()
  await expect(page.getByLabel('Code', { exact: true })).toBeVisible()
}

test('a mailed code makes an account, and signs in again', { tag: ['@both', '@main'] }, async ({ page }) => {
  const email = `${newName()}@example.org`
  await askForCode(page, email)
  expect(await listViolations(page)).toEqual([])
  await page.getByLabel('Code', { exact: true }).fill('000000')
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByLabel('Code', { exact: true })).toHaveAttribute('aria-invalid', 'true')
  const [code = ''] = (await readMail(page, email)).match(/\b\d{6}\b/) ?? []
  await page.getByLabel('Code', { exact: true }).fill(code)
  await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Hello,' })).toBeVisible()
})

test('the sheet mails a code and takes it; a wrong one is said at once', { tag: '@both' }, async ({ page }) => {
  const email = `${newName()}@example.org`
  await page.goto('/')
  const sheet = await openSheet(page)
  await sheet.getByRole('button', { name: 'Email me a code' }).click()
  await expect(sheet.getByRole('heading', { name: 'Sign in with a code' })).toBeVisible()
  await sheet.getByRole('button', { name: 'Send code' }).click()
  await expect(sheet.getByLabel('Email')).toHaveAttribute('aria-invalid', 'true')
  await sheet.getByLabel('Email').fill(email)
  await sheet.getByRole('button', { name: 'Send code' }).click()
  const field = sheet.getByLabel('Code', { exact: true })
  await expect(field).toBeFocused()
  expect(await listViolations(page, { within: '[role=dialog], dialog' })).toEqual([])
  await field.fill('000000')
  await sheet.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(sheet.getByText('The code is incorrect.')).toBeVisible()
  const [code = ''] = (await readMail(page, email)).match(/\b\d{6}\b/) ?? []
  await field.fill(code)
  await sheet.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Hello,' })).toBeVisible()
})
