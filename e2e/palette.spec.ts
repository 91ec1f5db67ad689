import { listViolations } from './lib/listViolations.ts'
import { newName } from './lib/newName.ts'
import { password } from './lib/password.mjs'
import { signIn } from './lib/signIn.mjs'
import { signUp } from './lib/signUp.ts'
import { expect, serve, test } from './lib/test.ts'

serve()

test('the command palette by keys alone: open, narrow down, choose, and go back', async ({ page }) => {
  await signUp(page, newName())
  await page.keyboard.press('Control+k')
  const field = page.getByRole('combobox', { name: 'Search and commands' })
  await expect(field).toBeFocused()
  await expect(field).toHaveAttribute('aria-expanded', 'true')
  const chosen = page.getByRole('option', { selected: true })
  await expect(chosen).toHaveText('Overview')
  await page.keyboard.press('ArrowUp')
  await expect(chosen).toHaveText('Sign out')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect(chosen).toHaveText('Profile')
  expect(await field.getAttribute('aria-activedescendant')).toBe(await chosen.getAttribute('id'))
  await field.fill('devic')
  await expect(chosen).toHaveText('Sessions')
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/account\/sessions$/)
  await expect(page.getByRole('heading', { name: 'Sessions', level: 1 })).toBeFocused()
  await page.goBack()
  await expect(page.getByRole('heading', { name: /^Hello/ })).toBeVisible()
})

test('it opens by its button, closes by Escape and by its own key, and gives the focus back', async ({ page }) => {
  await page.goto('/')
  const button = page.getByRole('button', { name: 'Search and commands' })
  const dialog = page.getByRole('dialog', { name: 'Search and commands' })
  await button.click()
  await expect(dialog).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(button).toBeFocused()
  await page.keyboard.press('Meta+k')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Meta+k')
  await expect(dialog).toBeHidden()
})

test('it acts: theme, link a wallet, sign in, sign out, and hands a search over to the explorer', async ({ page }) => {
  const run = async (words: string, label: string | RegExp) => {
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search and commands' }).fill(words)
    await page.getByRole('option', { name: label }).click()
    await expect(page.getByRole('dialog', { name: 'Search and commands' })).toBeHidden()
  }
  await page.goto('/')
  await run('dark', 'Use the dark theme')
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark')
  await run('', 'Sign in')
  await expect(page.getByRole('dialog', { name: 'Sign in' })).toBeVisible()
  // Never a second dialog over the first.
  await page.keyboard.press('Control+k')
  await expect(page.getByRole('combobox', { name: 'Search and commands' })).toBeHidden()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await signUp(page, newName())
  await run('link', 'Link a wallet')
  await expect(page.getByRole('dialog')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await run('a&b 0x12', /^Search the explorer for “a&b 0x12”$/)
  await expect(page).toHaveURL(/\/explorer\?q=a%26b%200x12$/)
  await run('out', 'Sign out')
  await expect(page.getByText('You have signed out.')).toBeVisible()
})

test('it leads to the part of a screen, through sign-in where that is needed', async ({ page, api }) => {
  const username = newName()
  await api.signUp({ username, password })
  await page.goto('/account/security#recovery-codes')
  await expect(page).toHaveURL(/sign-in/)
  await signIn(page, username)
  await expect(page).toHaveURL('/account/security#recovery-codes')
  const heading = page.getByRole('heading', { name: 'Recovery codes' })
  await expect(heading).toBeFocused()
  await expect(heading).toBeInViewport()
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('delete')
  await page.keyboard.press('Enter')
  // The place whose words match stands before the act.
  await expect(page).toHaveURL('/account/profile')
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Delete my account' }).click()
  await expect(page).toHaveURL('/account/profile#delete-account')
  await expect(page.getByRole('heading', { name: 'Delete account' })).toBeFocused()
})

test('? lists the keys, but not while something is typed', async ({ page }) => {
  await page.goto('/sign-in')
  const dialog = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await page.getByLabel('User name or e-mail').focus()
  await page.keyboard.type('?')
  await expect(page.getByLabel('User name or e-mail')).toHaveValue('?')
  await page.getByRole('heading', { level: 1 }).focus()
  await page.keyboard.press('?')
  await expect(dialog).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('heading', { level: 1 })).toBeFocused()
})

test('on a phone: by its button, by touch, and everything within reach', { tag: '@both' }, async ({ page }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Search and commands' }).click()
  await page.getByRole('combobox', { name: 'Search and commands' }).fill('forgot')
  await page.getByRole('option', { name: 'Forgot your password?' }).click()
  await expect(page).toHaveURL('/forgot')
})
