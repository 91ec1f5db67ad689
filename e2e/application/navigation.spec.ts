import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { signIn } from '../lib/steps/signIn.mjs'
import { signUp } from '../lib/steps/signUp.ts'
import { expect, serve, test } from '../lib/test.ts'

serve()

test('a deep link leads through sign-in and on to its goal', { tag: ['@both', '@main'] }, async ({ page, api }) => {
  const username = newName()
  await api.signUp({ username, password })
  await page.goto('/account/sessions?from=mail')
  await expect(page).toHaveURL('/sign-in?next=%2Faccount%2Fsessions%3Ffrom%3Dmail')
  await page.getByRole('link', { name: 'Create an account' }).click()
  await page.getByRole('main').getByRole('link', { name: 'Sign in' }).click()
  await signIn(page, username)
  await expect(page).toHaveURL('/account/sessions?from=mail')
  await expect(page.getByText('This device', { exact: true })).toBeVisible()
})

for (const next of [
  '//evil.example/x',
  '/\\evil.example',
  'https://evil.example',
  '/\t/evil.example',
  'javascript:alert(1)',
])
  test(`next=${JSON.stringify(next)} never leaves this site`, async ({ page, api }) => {
    const username = newName()
    await api.signUp({ username, password })
    await page.goto(`/sign-in?next=${encodeURIComponent(next)}`)
    await signIn(page, username)
    await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeVisible()
    await expect(page).toHaveURL('/')
  })

test('someone who is signed in does not see the sign-in form', async ({ page }) => {
  const username = newName()
  await signUp(page, username)
  await page.goto('/sign-in?next=/account/security')
  await expect(page).toHaveURL('/account/security')
})

test('sign up by keyboard alone', async ({ page }) => {
  const username = newName()
  await page.goto('/')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('main')).toBeFocused()
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Create your account' })).toBeFocused()
  await page.keyboard.press('Enter')

  await expect(page.getByRole('heading', { name: 'Create your account' })).toBeFocused()
  // Other sign-in methods stand before the form.
  await expect(page.getByRole('button', { name: 'Create account', exact: true })).toBeVisible()
  const isInForm = () => page.getByLabel('Username').evaluate((field) => field === document.activeElement)
  for (let presses = 0; presses < 8 && !(await isInForm()); presses++) await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  // An empty form focuses the first required field and shows its error.
  await expect(page.getByLabel('Username')).toBeFocused()
  await expect(page.getByLabel('Username')).toHaveAccessibleDescription('Choose a username.')
  await page.keyboard.type(username)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.type('short')
  await expect(page.getByText('3 more characters needed.')).toBeVisible()
  await page.keyboard.press('Tab')
  await page.keyboard.press('Space')
  await expect(page.getByLabel('Password', { exact: true })).toHaveAttribute('type', 'text')
  await page.keyboard.press('Shift+Tab')
  await page.keyboard.type(' but longer now')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { name: 'Set up your account' })).toBeFocused()

  // The welcome that comes once: past it, and home.
  await expect(page).toHaveURL('/welcome')
  await page.keyboard.press('Tab')
  await expect(page.getByLabel('Username', { exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { name: `Hello, ${username}` })).toBeFocused()

  const account = page.getByRole('banner').getByRole('button').last()
  // Asked of the page: a button that was looked up a moment ago may have been replaced by the menu's own.
  const isThere = () => page.evaluate(() => document.activeElement?.getAttribute('aria-haspopup') === 'menu')
  for (let steps = 0; steps < 10 && !(await isThere()); steps++) await page.keyboard.press('Shift+Tab')
  await expect(account).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Overview' })).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/account/portfolio')
})

test('a press that outlasts the loading of the menu opens it', async ({ page }) => {
  await signUp(page, newName())
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/assets/AccountMenuPopup-*.js', async (route) => {
    await held
    await route.continue()
  })
  await page.reload()
  const box = await page.getByRole('banner').getByRole('button').last().boundingBox()
  if (!box) throw new Error('There is no account button.')
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2)
  const loaded = page.waitForResponse(/AccountMenuPopup-/)
  await page.mouse.down()
  release()
  await (await loaded).finished()
  // The code runs a moment after it came, and must wait for the release.
  await page.waitForTimeout(300)
  await page.mouse.up()
  await expect(page.getByRole('menuitem', { name: 'Sign out' })).toBeVisible()
})

test('each screen has its own title and one h1', async ({ page }) => {
  const titles: Record<string, string> = {
    '/': 'Countersign',
    '/sign-in': 'Sign in · Countersign',
    '/sign-up': 'Create your account · Countersign',
    '/forgot': 'Forgot your password? · Countersign',
    '/reset?token=x': 'Choose a new password · Countersign',
    '/recover-account?token=x': 'Recover your account · Countersign',
    '/undo-email?token=x': 'Recover your account · Countersign',
    '/undo-email/merge?token=x': 'Recover your account · Countersign',
    '/outbox': 'Outbox · Countersign',
    '/nowhere/at/all': 'Page not found · Countersign',
  }
  for (const [path, title] of Object.entries(titles)) {
    await page.goto(path)
    await expect(page).toHaveTitle(title)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1)
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
  }
})

test('a chosen theme holds over reloads, before the first paint, and in other tabs', async ({
  page,
  context,
  watch,
}) => {
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
  await page.emulateMedia({ colorScheme: 'light' })
  await page.goto('/')
  const light = await background()
  const other = await context.newPage()
  await other.goto('/')
  await page.getByRole('radio', { name: 'Dark' }).check()
  const dark = await background()
  expect(dark).not.toBe(light)
  await expect(other.getByRole('radio', { name: 'Dark' })).toBeChecked()

  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto('/', { waitUntil: 'domcontentloaded' })
  await expect.poll(background).toBe(dark)
  await page.unroute('**/assets/*.js')
  // The scripts that were held back are the test's own doing.
  watch.faults.length = 0
  await page.reload()
  await page.getByRole('radio', { name: 'System' }).check()
  expect(await background()).toBe(light)
})

test('the back button returns to the screen before, and to the place on it', { tag: '@both' }, async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 500 })
  await signUp(page, newName())
  const card = page.getByRole('main').getByRole('link', { name: 'Manage sessions' })
  await card.scrollIntoViewIfNeeded()
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50)
  const before = await page.evaluate(() => scrollY)
  await card.click()
  await expect(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeFocused()
  expect(await page.evaluate(() => scrollY)).toBe(0)
  await page.goBack()
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeAttached()
  await expect.poll(() => page.evaluate(() => scrollY)).toBe(before)
  await page.goForward()
  await expect(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeVisible()
})

test('a typed address starts at the top of the page; a reload keeps the position', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 500 })
  await enter(page, newName())
  await page.goto('/account/security')
  await expect(page.getByRole('heading', { name: 'Security', level: 1 })).toBeVisible()
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200)
  await page.goto('/account/profile')
  await expect(page.getByRole('heading', { name: 'Profile', level: 1 })).toBeInViewport()
  await page.waitForLoadState('networkidle')
  expect(await page.evaluate(() => scrollY)).toBe(0)

  await page.goto('/account/security')
  await page.getByRole('contentinfo').scrollIntoViewIfNeeded()
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200)
  await page.reload()
  await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(200)
})

test('on paper there is nothing to press or to navigate by, and it is white', async ({ page }) => {
  await signUp(page, newName())
  await page.emulateMedia({ colorScheme: 'dark' })
  for (const path of ['/', '/account/wallets', '/account/sessions', '/account/activity']) {
    await page.goto(path)
    await page.getByRole('heading', { level: 1 }).waitFor()
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await expect(page.getByRole('button')).toHaveCount(0)
    await expect(page.getByRole('contentinfo')).toHaveCount(0)
    await expect(page.getByRole('heading', { level: 1 })).toHaveCSS('color', 'rgb(30, 27, 23)')
    await page.emulateMedia({ media: 'screen' })
  }
})
