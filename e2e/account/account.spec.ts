import { enter } from '../lib/steps/enter.ts'
import { goTo } from '../lib/steps/goTo.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { signIn } from '../lib/steps/signIn.mjs'
import { signOut } from '../lib/steps/signOut.ts'
import { signUp } from '../lib/steps/signUp.ts'
import { expect, serve, test } from '../lib/test.ts'

serve()

test('R5: sign up, and still be signed in after a reload without a flash of the visitor’s page', async ({ page }) => {
  const username = newName()
  // The welcome is gone again when a slow machine is through with the steps that follow it.
  const welcome = page.getByText(`Welcome, ${username}.`).waitFor()
  await signUp(page, username)
  await welcome

  // Slow responses give a wrong state time to show.
  await page.route(/config\.json|users\/me/, async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 400))
    await route.continue()
  })
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new MutationObserver(() => {
      for (const element of document.querySelectorAll('a, h1')) {
        const text = element.textContent ?? ''
        if (!seen.includes(text)) seen.push(text)
      }
    }).observe(document, { childList: true, subtree: true, characterData: true })
  })
  await page.reload()
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen)
  expect(seen).toContain(`Hello, ${username}`)
  expect(seen.filter((text) => /Sign in|Create|Your account, under/.test(text))).toEqual([])
})

test('the session’s token is out of reach for scripts', async ({ page, context }) => {
  await signUp(page, newName())
  expect(await page.evaluate(() => document.cookie)).toBe('')
  const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }))
  expect(stored).not.toMatch(/r:[0-9a-z]{8}/i)
  expect(stored).not.toContain('sessionToken')
  const cookies = await context.cookies()
  expect(cookies.length).toBeGreaterThan(0)
  for (const cookie of cookies)
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: expect.stringMatching(/Lax|Strict/) })
})

test('R5: edit the profile with fields of every kind; it is there after a reload and on the wire', {
  tag: ['@both', '@main'],
}, async ({ page, api }) => {
  const username = newName()
  await enter(page, username)
  await page.goto('/')
  await goTo(page, 'Profile')
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeFocused()

  const requests: string[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT' || request.postData()?.includes('"_method":"PUT"'))
      requests.push(request.postData() ?? '')
  })
  await page.getByLabel('Email').fill(`${username}@example.org`)
  await expect(page.getByText('You have unsaved changes.')).toBeVisible()
  const kinds = [
    { name: 'city', kind: 'Text', value: 'London' },
    { name: 'age', kind: 'Number', value: '36' },
    { name: 'born', kind: 'Date', value: '1815-12-10' },
  ]
  for (const { name, kind, value } of kinds) {
    await page.getByRole('button', { name: 'Add field' }).click()
    await expect(page.getByLabel('Name', { exact: true }).last()).toBeFocused()
    await page.keyboard.type(name)
    await page.getByLabel('Type').last().selectOption(kind)
    await page.getByLabel('Value').last().fill(value)
  }
  await page.getByRole('button', { name: 'Add field' }).click()
  await page.getByLabel('Name', { exact: true }).last().fill('member')
  await page.getByLabel('Type').last().selectOption('Yes or no')
  await page.getByRole('switch').click()

  // Looking elsewhere does not lose the edits.
  await goTo(page, 'Security')
  await page.goBack()
  await expect(page.getByText('You have unsaved changes.')).toBeVisible()

  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Profile saved.')).toBeVisible()
  await expect(page.getByText('You have unsaved changes.')).toBeHidden()
  expect(requests).toHaveLength(1)
  expect(requests[0]).not.toContain('"username"')

  await page.reload()
  await expect(page.getByLabel('City', { exact: true })).toHaveValue('London')
  await expect(page.getByLabel('Age', { exact: true })).toHaveValue('36')
  await expect(page.getByLabel('Born', { exact: true })).toHaveValue('1815-12-10')
  await expect(page.getByRole('switch', { name: 'Member' })).toBeChecked()

  const { sessionToken } = await api.logIn({ username, password })
  const me = await api.me(sessionToken)
  expect(me).toMatchObject({
    email: `${username}@example.org`,
    city: 'London',
    age: 36,
    member: true,
    born: { __type: 'Date', iso: '1815-12-10T00:00:00.000Z' },
  })

  await page.getByRole('button', { name: 'Remove City' }).click()
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('You have unsaved changes.')).toBeHidden()
  expect(await api.me(sessionToken)).not.toHaveProperty('city')
})

test('R10: a refused save reverts the record; the input stays, with the reason at its field', {
  tag: '@both',
}, async ({ page, api }) => {
  const username = newName()
  const taken = newName('grace')
  await api.signUp({ username: taken, password })
  await enter(page, username)
  await page.goto('/account/profile')
  await page.getByLabel('Username').fill(taken.toUpperCase())
  await page.getByRole('button', { name: 'Save changes' }).click()

  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/Account already exists for this username/)
  await expect(page.getByLabel('Username')).toHaveValue(taken.toUpperCase())
  await expect(page.getByLabel('Username')).toBeFocused()
  // Said once, at the field.
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByRole('banner')).toContainText(username)
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(page.getByLabel('Username')).toHaveValue(username)
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('R23: a rate-limited save shows the wait, and keeps the edits', async ({ page, watch }) => {
  const username = newName()
  await enter(page, username)
  await page.clock.install()
  await page.goto('/account/profile')
  await page.route('**/server/users/*', (route) =>
    route.fulfill({ status: 429, headers: { 'Retry-After': '600' }, json: { code: 155, error: 'Too many requests.' } }),
  )
  await page.getByLabel('Email').fill(`${username}@example.org`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByRole('alert')).toContainText('Too many requests.')
  await page.unroute('**/server/users/*')
  await page.clock.fastForward(600_000)
  await expect(page.getByText('You can try again now.')).toBeVisible()
  await expect(page.getByLabel('Email')).toHaveValue(`${username}@example.org`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await expect(page.getByText('Profile saved.')).toBeVisible()
  expect(watch.refusals.length).toBeGreaterThan(0)
})

test('R4: signing out in one tab signs the other out too', async ({ page, context }) => {
  await enter(page, newName())
  await page.goto('/')
  const other = await context.newPage()
  await other.goto('/account/profile')
  await expect(other.getByRole('heading', { name: 'Profile' })).toBeVisible()

  await signOut(page)
  await expect(page.getByText('You’re signed out.')).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('banner').getByRole('button', { name: 'Sign in' })).toBeVisible()

  await expect(other).toHaveURL('/sign-in?next=%2Faccount%2Fprofile')
  await expect(other.getByRole('status').filter({ hasText: 'You were signed out.' })).toBeVisible()
  await expect(page.getByText('You were signed out.')).toHaveCount(0)
})

test('signing in in one tab signs the other in too', async ({ page, context, api }) => {
  const username = newName()
  await api.signUp({ username, password })
  const other = await context.newPage()
  await other.goto('/')
  await expect(other.getByRole('banner').getByRole('button', { name: 'Sign in' })).toBeVisible()
  await page.goto('/sign-in')
  await signIn(page, username)
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
  await expect(other.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
})

test('a wrong password is refused without telling which part was wrong', async ({ page, api }) => {
  const username = newName()
  await api.signUp({ username, password })
  for (const name of [username, newName('nobody')]) {
    await page.goto('/sign-in')
    await signIn(page, name, 'not the password')
    await expect(page.getByRole('alert')).toHaveText('Incorrect username or password.')
    await expect(page.getByLabel('Password', { exact: true })).toBeFocused()
  }
})

test('signing in by e-mail address', async ({ page, api }) => {
  const username = newName()
  await api.signUp({ username, password, email: `${username}@example.org` })
  await page.goto('/sign-in')
  await signIn(page, `${username}@example.org`)
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
})

test('R22: a taken name is shown at its field with the server’s sentence', async ({ page, api }) => {
  const username = newName()
  await api.signUp({ username, password, email: `${username}@example.org` })
  await page.goto('/sign-up')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  await expect(page.getByLabel('Username')).toBeFocused()
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription(/already exists for this username/)

  await page.getByLabel('Username').fill(newName())
  await page.getByLabel('Email').fill(`${username}@example.org`)
  await page.getByRole('button', { name: 'Create account', exact: true }).click()
  await expect(page.getByLabel('Email')).toBeFocused()
  await expect(page.getByLabel('Email')).toHaveAccessibleDescription(/already exists for this email/)
})

test('change the password: other devices are signed out, this one stays', { tag: ['@both', '@main'] }, async ({
  page,
  api,
}) => {
  const username = newName()
  await enter(page, username)
  const elsewhere = await api.logIn({ username, password })
  await page.goto('/account/security')
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await page.getByLabel('Current password', { exact: true }).fill('not the password')
  await page.getByLabel('New password', { exact: true }).fill('another good password')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByLabel('Current password', { exact: true })).toHaveAccessibleDescription(
    'Incorrect current password.',
  )
  expect(await api.me(elsewhere.sessionToken)).toMatchObject({ username })

  await expect(page.getByLabel('New password', { exact: true })).toHaveValue('another good password')
  await page.getByLabel('Current password', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText(/^Password changed\./)).toBeVisible()
  await expect(dialog).toBeHidden()
  expect(await api.me(elsewhere.sessionToken)).toMatchObject({ code: 209 })
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Security' })).toBeVisible()
  expect(await api.logIn({ username, password: 'another good password' })).toMatchObject({ username })
})

test('a slow response to a new password signs out neither this page nor another of the same browser', async ({
  page,
  context,
}) => {
  const username = newName()
  await enter(page, username)
  await page.goto('/account/security')
  const other = await context.newPage()
  await other.goto('/account/profile')
  await expect(other.getByRole('heading', { name: 'Profile' })).toBeVisible()
  // Live connections end with the former session before the response arrives.
  await page.route('**/changePassword', async (route) => {
    const response = await route.fetch()
    await new Promise((resolve) => setTimeout(resolve, 3_000))
    await route.fulfill({ response })
  })
  await page.getByRole('button', { name: 'Change password' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change password' })
  await page.getByLabel('Current password', { exact: true }).fill(password)
  await page.getByLabel('New password', { exact: true }).fill('another good password')
  await dialog.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText(/^Password changed\./)).toBeVisible()
  await expect(dialog).toBeHidden()
  for (const each of [page, other]) {
    await expect(each).toHaveURL(/\/account\//)
    await each.reload()
    await expect(each.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(each).toHaveURL(/\/account\//)
  }
})

test('delete the account after typing its name', async ({ page, api }) => {
  const username = newName()
  await enter(page, username)
  await page.goto('/account/profile')
  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await expect(dialog.getByRole('button', { name: 'Delete account' })).toBeDisabled()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('button', { name: 'Delete account…' })).toBeFocused()

  await page.getByRole('button', { name: 'Delete account…' }).click()
  await expect(dialog.getByRole('textbox')).toBeFocused()
  await page.keyboard.type(username)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByText('Your account will be deleted on')).toBeVisible()
  await expect(page).toHaveURL('/')
  await expect(page.getByText('You were signed out.')).toHaveCount(0)
  expect(await api.logIn({ username, password })).toMatchObject({ code: 119, reason: 'accountDeletionPending' })

  // Signing in offers to keep it.
  await page.goto('/sign-in')
  await page.getByLabel('Username or email').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByText('Restore it?')).toBeVisible()
  await page.getByRole('button', { name: 'Restore and sign in' }).click()
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
  expect(await api.logIn({ username, password })).toMatchObject({ username })
})

test('SEC-3, SEC-13: in a session confirmed long ago the address and the deletion wait for a proof', async ({
  page,
  api,
}) => {
  const username = newName()
  await enter(page, username)
  // Said once of each, as a server does whose session was confirmed long ago.
  const said = new Set<string>()
  await page.route('**/server/users/*', async (route) => {
    const method = String(route.request().postDataJSON()?._method ?? route.request().method())
    if (!['PUT', 'DELETE'].includes(method) || said.has(method)) return route.fallback()
    said.add(method)
    const error = 'Confirm it’s you to continue.'
    await route.fulfill({ status: 403, json: { code: 119, error, reason: 'reauthenticationRequired' } })
  })
  const confirm = async () => {
    const dialog = page.getByRole('dialog', { name: 'Confirm it’s you' })
    await dialog.getByLabel('Password', { exact: true }).fill(password)
    await dialog.getByRole('button', { name: 'Confirm' }).click()
    await expect(dialog).toBeHidden()
  }
  await page.goto('/account/profile')
  await page.getByLabel('Email', { exact: true }).fill(`${username}@example.org`)
  await page.getByRole('button', { name: 'Save changes' }).click()
  await confirm()
  await expect(page.getByText('Profile saved.')).toBeVisible()

  await page.getByRole('button', { name: 'Delete account…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete your account?' })
  await dialog.getByRole('textbox').fill(username)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await confirm()
  await expect(page.getByText('Your account will be deleted on')).toBeVisible()
  expect([...said]).toEqual(['PUT', 'DELETE'])
  expect(await api.logIn({ username, password })).toMatchObject({ reason: 'accountDeletionPending' })
})
