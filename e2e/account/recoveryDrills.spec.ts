import { createECDH } from 'node:crypto'
import { addTestWallet } from '@countersign/react/testing'
import type { Page } from '@playwright/test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createThief } from '../lib/drills/createThief.ts'
import { readLink, readMail } from '../lib/drills/readMail.ts'
import { addAuthenticator } from '../lib/steps/addAuthenticator.ts'
import { linkWallet } from '../lib/steps/linkWallet.mjs'
import { newName } from '../lib/steps/newName.ts'
import { openSheet } from '../lib/steps/openSheet.mjs'
import { asMaster, masterKey } from '../lib/steps/operators.ts'
import { password } from '../lib/steps/password.mjs'
import { signIn } from '../lib/steps/signIn.mjs'
import { signInByWallet } from '../lib/steps/signInByWallet.mjs'
import { currentCode } from '../lib/steps/totp.ts'
import { test as base, expect, moveServerClock, serve } from '../lib/test.ts'

type Api = Parameters<typeof linkWallet>[0]

/** `lair` is a page in the thief's own browser. */
const test = base.extend<{ lair: Page }>({
  lair: async ({ browser, baseURL }, use) => {
    const context = await browser.newContext({ baseURL: baseURL ?? '' })
    const page = await context.newPage()
    await addAuthenticator(page)
    await page.goto('/config.json')
    await use(page)
    await context.close()
  },
})

const pushKey = createECDH('prime256v1')
const publicKey = pushKey.generateKeys('base64url')
serve({
  masterKey,
  rateLimit: [],
  emailCode: { enabled: true },
  push: { web: { publicKey, privateKey: pushKey.getPrivateKey('base64url'), subject: 'mailto:ops@example.org' } },
})

const hour = 3_600_000
const day = 24 * hour
const newPassword = 'a brand new password'
const shorten = (address: string) => `${address.slice(0, 6)}…${address.slice(-4)}`

let passed = 0

async function pass(milliseconds: number): Promise<void> {
  await moveServerClock(milliseconds)
  passed += milliseconds
}

const ahead = () => passed / 30_000

type Owner = { objectId: string; username: string; email?: string; address: string; document: string }
type Reader = Owner & { email: string }

/** Creates an object that only its owner reads; returns its path. */
async function keepDocument(api: Api, objectId: string, token: string): Promise<string> {
  const ACL = { [objectId]: { read: true, write: true } }
  const made = await api.call('POST', '/classes/Diary', { title: 'Dear diary', ACL }, { token })
  return `/classes/Diary/${made.objectId}`
}

/** Somebody with a name, a password, a verified address, a wallet and a document. */
async function createOwner(page: Page, api: Api, key = generatePrivateKey()): Promise<Reader> {
  const username = newName('owner')
  const email = `${username}@example.org`
  const { objectId, sessionToken: token } = await api.signUp({ username, password, email })
  await api.call('POST', '/verifyEmail', { token: await readLink(page, email, '/verify-email') }, { token })
  const wallet = privateKeyToAccount(key)
  await linkWallet(api, wallet, { token })
  const document = await keepDocument(api, objectId, token)
  return { objectId, username, email, address: wallet.address, document }
}

/** The session that the owner's browser has. */
async function stealSession(page: Page): Promise<string> {
  const cookies = await page.context().cookies()
  return decodeURIComponent(cookies.find(({ name }) => name === 'countersign')?.value ?? '')
}

/** Weeks after the account was made, its owner signs in and the session is stolen. */
async function meetThief(page: Page, api: Api, lair: Page, owner: Owner) {
  await pass(20 * day)
  await signIn(page, owner.username)
  await expectHello(page, owner.username)
  return letIn(page, api, lair, owner)
}

async function letIn(page: Page, api: Api, lair: Page, owner: Owner) {
  const thief = createThief({ api, page: lair, ahead }, { ...owner, token: await stealSession(page) })
  expect(await thief.listWays()).toEqual(['session'])
  return thief
}

const expectHello = (page: Page, username: string) =>
  expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()

/** By the link in the mailbox of the owner, who then has no password and chooses one. */
async function recoverByMail(page: Page, { username, email }: Reader, { isDeleted = false } = {}): Promise<void> {
  await readLink(page, email, '/undo-email')
  await page.goto('/outbox')
  const notice = page.getByRole('region').filter({ hasText: email })
  const link = page.locator('a[href*="/undo-email"]')
  await notice.filter({ has: link }).first().locator(link).click()
  await page.getByRole('button', { name: 'Recover account' }).click()
  await expect(page.getByRole('heading', { name: 'Account recovered' })).toBeVisible()
  await page.getByRole('link', { name: 'Choose a new password' }).click()
  await page.getByLabel('New password', { exact: true }).fill(newPassword)
  await page.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByRole('heading', { name: 'Your password was changed' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, username, newPassword)
  if (isDeleted) await page.getByRole('button', { name: 'Restore and sign in' }).click()
  await expectHello(page, username)
}

/** Reads with the browser's session. */
const readByBrowser = (page: Page, path: string): Promise<Record<string, unknown>> =>
  page.evaluate(async (asked) => {
    const { appId } = await (await fetch('/config.json')).json()
    const headers = { 'X-Parse-Application-Id': appId, 'X-Countersign-Session': 'cookie' }
    return (await fetch(`/server${asked}`, { headers })).json()
  }, path)

/** Checks the owner's screens and the data that the owner's browser may read. */
async function expectEverythingBack(page: Page, { objectId, email, address, document }: Owner): Promise<void> {
  const user = await readByBrowser(page, '/users/me')
  expect(user).toMatchObject({ objectId, ...(email && { emailVerified: true }) })
  expect(user.email).toBe(email)
  expect(await readByBrowser(page, document)).toMatchObject({ title: 'Dear diary' })
  await page.goto('/account/wallets')
  const rows = page.getByRole('region', { name: /wallets?$/ }).getByRole('listitem')
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText(shorten(address))
}

/** The account was merged away or deleted. */
async function restoreByPassword(page: Page, { username }: Owner): Promise<void> {
  await page.context().clearCookies()
  await page.goto('/sign-in')
  await signIn(page, username)
  await page.getByRole('button', { name: 'Restore and sign in' }).click()
  await expectHello(page, username)
}

/** The account was merged away, or the wallet unlinked from it. */
async function restoreByWallet(page: Page, { username }: Owner, told: string): Promise<void> {
  await page.context().clearCookies()
  await page.goto('/')
  const sheet = await openSheet(page)
  await sheet.getByRole('button', { name: 'Own Wallet' }).click()
  await expect(sheet.getByText(told).first()).toBeVisible()
  await sheet.getByRole('button', { name: 'Restore and sign in' }).click()
  await expectHello(page, username)
}

test('SEC-36: the owner gets everything back from a thief who added methods first and changed the address last', {
  tag: '@both',
}, async ({ page, api, lair }) => {
  const owner = await createOwner(page, api)
  const thief = await meetThief(page, api, lair, owner)
  await thief.linkWallet()
  await thief.addPasskey()
  await thief.makeRecoveryCodes()
  await thief.registerDevice()
  await thief.addTotp()
  await thief.changeAddress()
  expect(await thief.listWays()).toEqual(['session', 'wallet', 'passkey', 'recoveryCode', 'device', 'mailbox'])
  await pass(hour)
  await recoverByMail(page, owner)
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

test('SEC-36: from one who changed the address first and added methods then', async ({ page, api, lair }) => {
  const owner = await createOwner(page, api)
  const thief = await meetThief(page, api, lair, owner)
  await thief.changeAddress({ isVerified: false })
  await thief.registerDevice()
  await thief.makeRecoveryCodes()
  await thief.addPasskey()
  await thief.linkWallet()
  await pass(hour)
  await recoverByMail(page, owner)
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

test('SEC-36: from one who added an authenticator app and changed the address', async ({ page, api, lair }) => {
  const owner = await createOwner(page, api)
  const thief = await meetThief(page, api, lair, owner)
  await thief.addTotp()
  await thief.changeAddress()
  expect(await api.logIn({ username: owner.username, password })).toMatchObject({ reason: 'secondFactorRequired' })
  await pass(hour)
  await recoverByMail(page, owner)
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

test('SEC-36: from one who changed the address and unlinked the owner’s wallet', async ({ page, api, lair }) => {
  const owner = await createOwner(page, api)
  const thief = await meetThief(page, api, lair, owner)
  await thief.changeAddress()
  await thief.linkWallet()
  await thief.unlink(owner.address)
  await pass(hour)
  await recoverByMail(page, owner)
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

test('SEC-36: from one who changed the address and deleted the account', async ({ page, api, lair }) => {
  const owner = await createOwner(page, api)
  const thief = await meetThief(page, api, lair, owner)
  await thief.addTotp()
  await thief.changeAddress()
  await thief.deleteAccount()
  await pass(hour)
  await recoverByMail(page, owner, { isDeleted: true })
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

test('SEC-37: from one who changed the address and merged the account away', async ({ page, api, lair }) => {
  const owner = await createOwner(page, api)
  const thief = await meetThief(page, api, lair, owner)
  await thief.linkWallet()
  await thief.changeAddress()
  await thief.mergeAway()
  await thief.unlink(owner.address)
  await pass(hour)
  await recoverByMail(page, owner)
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

test('SEC-37: from one who merged the account away, by mail', async ({ page, api, lair }) => {
  const owner = await createOwner(page, api)
  const thief = await meetThief(page, api, lair, owner)
  await thief.addPasskey()
  await thief.addTotp()
  await thief.mergeAway({ hasTotp: true })
  expect(await thief.listWays()).toContain('ownAccount')
  await pass(hour)
  await recoverByMail(page, owner)
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

test('SEC-37: from one who merged the account away and deleted the other one', async ({ page, api, lair }) => {
  const owner = await createOwner(page, api)
  const thief = await meetThief(page, api, lair, owner)
  await thief.mergeAway()
  await thief.deleteAccount()
  await pass(hour)
  await recoverByMail(page, owner)
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

test('SEC-37: from one who merged the account away, by its password', async ({ page, api, lair }) => {
  const owner = await createOwner(page, api)
  const thief = await meetThief(page, api, lair, owner)
  await thief.mergeAway()
  await pass(hour)
  await restoreByPassword(page, owner)
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

/** Opens the link of the mail about what was added last. */
async function openRecovery(page: Page, email: string): Promise<void> {
  await readLink(page, email, '/recover-account')
  await page.context().clearCookies()
  await page.goto('/outbox')
  const notice = page.getByRole('region').filter({ hasText: email })
  const link = page.locator('a[href*="/recover-account"]')
  await notice.filter({ has: link }).first().locator(link).click()
  await expect(page.getByRole('heading', { name: 'Recover your account' })).toBeVisible()
}

test('SEC-76: from one who added an authenticator app and nothing else, by the password', { tag: '@both' }, async ({
  page,
  api,
  lair,
}) => {
  const owner = await createOwner(page, api)
  const thief = await meetThief(page, api, lair, owner)
  await thief.addTotp()
  expect(await api.logIn({ username: owner.username, password })).toMatchObject({ reason: 'secondFactorRequired' })
  await pass(hour)
  await openRecovery(page, owner.email)
  const form = page.getByRole('form', { name: 'Recover your account' })
  await form.getByLabel('Password you had before').fill('a wrong password')
  await form.getByLabel('New password', { exact: true }).fill(newPassword)
  await form.getByRole('button', { name: 'Recover account' }).click()
  await expect(form.getByText('The password is incorrect.').first()).toBeVisible()
  expect(await thief.listWays()).toEqual(['session'])
  await form.getByLabel('Password you had before').fill(password)
  await form.getByRole('button', { name: 'Recover account' }).click()
  await expect(page.getByRole('heading', { name: 'Account recovered' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, owner.username, newPassword)
  await expectHello(page, owner.username)
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

test('SEC-76: from one who added methods and unlinked the wallet, by the wallet', async ({ page, api, lair }) => {
  const key = generatePrivateKey()
  await addTestWallet(page.context(), { name: 'Own Wallet', accounts: 1, privateKeys: [key] })
  const owner = await createOwner(page, api, key)
  const thief = await meetThief(page, api, lair, owner)
  await thief.linkWallet()
  await thief.addPasskey()
  await thief.makeRecoveryCodes()
  await thief.registerDevice()
  await thief.unlink(owner.address)
  await thief.addTotp()
  await pass(hour)
  await openRecovery(page, owner.email)
  await page.getByRole('button', { name: 'Use Own Wallet' }).click()
  await expect(page.getByRole('heading', { name: 'Account recovered' })).toBeVisible()
  await page.goto('/')
  const sheet = await openSheet(page)
  await sheet.getByRole('button', { name: 'Own Wallet' }).click()
  await expectHello(page, owner.username)
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

/** Somebody who came by wallet and has nothing else, and a thief who has the session weeks later. */
async function meetThiefByWallet(page: Page, api: Api, lair: Page) {
  const key = generatePrivateKey()
  await addTestWallet(page.context(), { name: 'Own Wallet', accounts: 1, privateKeys: [key] })
  const username = await signInByWallet(page, 'Own Wallet')
  const token = await stealSession(page)
  const { objectId } = await api.me(token)
  const document = await keepDocument(api, objectId, token)
  await page.context().clearCookies()
  await pass(20 * day)
  await signInByWallet(page, 'Own Wallet')
  const owner: Owner = { objectId, username, address: privateKeyToAccount(key).address, document }
  const thief = await letIn(page, api, lair, owner)
  return { owner, thief }
}

test('SEC-37: from one who merged an account of a wallet away', async ({ page, api, lair }) => {
  const { owner, thief } = await meetThiefByWallet(page, api, lair)
  await thief.mergeAway()
  await thief.unlink(owner.address)
  await pass(hour)
  await restoreByWallet(page, owner, 'This account was merged into another one.')
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

test('SEC-38: from one who unlinked the only wallet', async ({ page, api, lair }) => {
  const { owner, thief } = await meetThiefByWallet(page, api, lair)
  await thief.linkWallet()
  await thief.addPasskey()
  await thief.makeRecoveryCodes()
  await thief.registerDevice()
  await thief.addTotp()
  await thief.changeAddress()
  await thief.unlink(owner.address)
  await pass(hour)
  await restoreByWallet(page, owner, 'This wallet was removed from its account.')
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

test('an owner restores the account that a thief deleted', async ({ page, api, lair }) => {
  const owner = await createOwner(page, api)
  const thief = await meetThief(page, api, lair, owner)
  await thief.deleteAccount()
  await pass(hour)
  await restoreByPassword(page, owner)
  await expectEverythingBack(page, owner)
  expect(await thief.listWays()).toEqual([])
})

/** Attack by somebody who only reads the owner's mailbox: each act that mail allows, and the responses. */
async function tryMailbox(api: Api, page: Page, email: string) {
  await api.call('POST', '/requestPasswordReset', { email })
  const token = await readLink(page, email, '/reset')
  const reset = await api.call('POST', '/resetPassword', { token, password: newPassword })
  const installation = newName('reader')
  const { handle } = await api.call('POST', '/auth/emailCode', { email }, { installation })
  const isCode = /\n\n(\d{6})\n\n/
  const { text } = await readMail(page, email, (mail) => isCode.test(mail.text))
  const byCode = { handle, code: isCode.exec(text)?.[1] }
  const code = await api.call('POST', '/auth/signInWithEmailCode', byCode, { installation })
  return { reset, code, byPassword: await api.logIn({ username: email, password: newPassword }) }
}

for (const isHeld of [true, false]) {
  const how = isHeld ? 'in a session' : 'outside a session'
  test(`SEC-34: the mailbox alone opens no account with a second factor, its address verified ${how}`, async ({
    page,
    api,
  }) => {
    const username = newName('owner')
    const email = `${username}@example.org`
    const { objectId, sessionToken: token } = await api.signUp({ username, password, email })
    const { secret } = await api.call('POST', '/auth/totp', {}, { token })
    await api.call('POST', '/auth/totp/confirm', { code: currentCode(secret, ahead()) }, { token })
    const document = await keepDocument(api, objectId, token)
    const link = { token: await readLink(page, email, '/verify-email') }
    expect((await api.call('POST', '/verifyEmail', link, isHeld ? { token } : {})).status).toBe(200)
    await pass(20 * day)

    const { reset, code, byPassword } = await tryMailbox(api, page, email)
    expect(code).toMatchObject({ status: 401, reason: 'secondFactorRequired' })
    expect(reset.status).toBe(isHeld ? 200 : 401)
    expect(byPassword.status).toBe(isHeld ? 401 : 404)
    for (const { sessionToken } of [reset, code, byPassword]) expect(sessionToken).toBeUndefined()

    await page.goto('/sign-in')
    await signIn(page, username, isHeld ? newPassword : password)
    await expect(page.getByRole('heading', { name: 'Second step' })).toBeVisible()
    await page.getByLabel('Code', { exact: true }).fill(currentCode(secret, ahead()))
    await page.getByRole('main').getByRole('button', { name: 'Sign in', exact: true }).click()
    await expectHello(page, username)
    expect(await readByBrowser(page, document)).toMatchObject({ title: 'Dear diary' })
  })

  test(`SEC-40: nor the account of an operator, its address verified ${how}`, async ({ page, api }) => {
    const username = newName('operator')
    const email = `${username}@example.org`
    const { objectId, sessionToken: token } = await api.signUp({ username, password, email })
    await asMaster(page, 'PUT', `/console/operators/${objectId}`, { role: 'admin' })
    const link = { token: await readLink(page, email, '/verify-email') }
    expect((await api.call('POST', '/verifyEmail', link, isHeld ? { token } : {})).status).toBe(200)
    await pass(20 * day)

    const { reset, code, byPassword } = await tryMailbox(api, page, email)
    expect(reset.reason).toBe('mailNotEnough')
    expect(code.reason).toBe('mailNotEnough')
    expect(byPassword.status).toBe(404)
    await page.goto('/sign-in')
    await signIn(page, username)
    await expectHello(page, username)
  })
}
