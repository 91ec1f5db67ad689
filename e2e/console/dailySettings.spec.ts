// Settings that operators change by day: each by its form, in effect without a restart, and in the audit log.
import type { Page } from '@playwright/test'
import { startMailServer } from '../lib/servers/startMailServer.mjs'
import { asMaster, enterAs, makeUser, masterKey } from '../lib/steps/operators.ts'
import { expect, serve, test } from '../lib/test.ts'

serve({ masterKey, signUp: { mode: 'open' } })

const read = async (page: Page) => (await page.request.get('/config.json')).json()

async function change(page: Page, title: string, fields: Record<string, string>, off: string[] = []) {
  await page.getByRole('button', { name: `Edit ${title}` }).click()
  const form = page.getByRole('form', { name: title })
  for (const [label, text] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(text)
  for (const label of off) await form.getByRole('switch', { name: label }).click()
  return form
}

async function save(page: Page, title: string, fields: Record<string, string>, off: string[] = []) {
  const form = await change(page, title, fields, off)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect(form).toBeHidden()
  const item = page.getByRole('listitem').filter({ has: page.getByRole('button', { name: `Edit ${title}` }) })
  await expect(item).toContainText('Last changed')
}

test('mail server, backups, sign-in methods, origins, rate limits and brand change without a restart', async ({
  page,
}) => {
  const mailServer = await startMailServer()
  try {
    const { objectId } = await enterAs(page, 'admin')
    const email = `operator-${Date.now()}@example.com`
    await asMaster(page, 'PUT', `/users/${objectId}`, { email })
    await page.goto('/admin/settings')

    expect((await read(page)).outbox).toBe(true)
    const [host = '', port = ''] = new URL(mailServer.url).host.split(':')
    const mail = await change(page, 'Email server', { Host: host, Port: port, Sender: 'Acme <no-reply@acme.test>' })
    await mail.getByRole('button', { name: 'Send test email' }).click()
    await expect(mail.getByText(`Test email sent to ${email}.`)).toBeVisible()
    expect(mailServer.mails).toHaveLength(1)
    await mail.getByRole('button', { name: 'Save' }).click()
    await expect(mail).toBeHidden()
    expect((await read(page)).outbox).toBe(false)
    const reader = `reader-${Date.now()}@example.com`
    await makeUser(page, { email: reader })
    await expect.poll(() => mailServer.mails.some((text) => text.includes(`To: ${reader}`))).toBe(true)

    await save(page, 'Backups', { 'Hours between backups': '6', 'Number of backups kept': '3' })
    expect(await asMaster(page, 'GET', '/console/backups')).toMatchObject({ isSet: true, every: 6, keep: 3 })

    await save(page, 'Sign-in methods', {}, ['Wallet'])
    expect((await read(page)).signIn.methods).not.toContain('wallet')
    // Without the password this operator could not sign in again.
    const last = await change(page, 'Sign-in methods', {}, ['Password'])
    await last.getByRole('button', { name: 'Save' }).click()
    await expect(last.getByRole('alert')).toBeVisible()
    await page.keyboard.press('Escape')
    expect((await read(page)).signIn.methods).toContain('password')

    const origin = 'https://pages.acme.example'
    const askFrom = () => page.request.fetch('/server/users/me', { method: 'OPTIONS', headers: { Origin: origin } })
    expect((await askFrom()).headers()['access-control-allow-credentials']).toBeUndefined()
    await save(page, 'Allowed origins', { 'Pages that may use cookie sessions': origin })
    expect((await askFrom()).headers()['access-control-allow-credentials']).toBe('true')

    const rules = { 'Requests per address': '/login 30 60\nPOST /users 10 60' }
    await save(page, 'Rate limits', rules)
    const tight = await change(page, 'Rate limits', { 'Requests per address': '/login 1 60' })
    await tight.getByRole('button', { name: 'Save' }).click()
    await expect(tight.getByRole('alert')).toBeVisible()
    await page.keyboard.press('Escape')

    await save(page, 'Brand', { 'Heading of the home page': 'Sail with us', 'Accent color, light theme': '#7a1f5c' })
    expect(JSON.stringify((await read(page)).brand)).toContain('Sail with us')

    const { results } = await asMaster(page, 'GET', '/console/settings')
    const stored = (results as { name: string; source: string }[]).filter(({ source }) => source === 'database')
    expect(stored.map(({ name }) => name).sort()).toEqual([
      ...['allowOrigin', 'backup', 'brand', 'rateLimit', 'signIn', 'smtp'],
    ])
    const audited = await asMaster(page, 'GET', '/audit?action=setSetting&limit=100')
    for (const { name } of stored) expect(JSON.stringify(audited)).toContain(name)
  } finally {
    await mailServer.stop()
  }
})
