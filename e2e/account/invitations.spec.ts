import { addTestWallet } from '@countersign/react/testing'
import { listViolations } from '../lib/listViolations.ts'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { signOut } from '../lib/steps/signOut.ts'
import { expect, serve, test } from '../lib/test.ts'

const masterKey = 'master-key-of-this-spec'
serve({ masterKey, signUp: { mode: 'invitation' }, signIn: { methods: ['password', 'passkey', 'wallet'] } })

/** The link of a new invitation, as the operator hands it out. */
async function invite(baseURL: string | undefined): Promise<string> {
  const { appId } = await (await fetch(`${baseURL}/config.json`)).json()
  const response = await fetch(`${baseURL}/server/auth/invitations`, {
    method: 'POST',
    headers: { 'X-Parse-Application-Id': appId, 'X-Parse-Master-Key': masterKey, 'Content-Type': 'application/json' },
    body: '{}',
  })
  return (await response.json()).url
}

test('without an invitation the page says so; its link makes one account by the form', { tag: '@both' }, async ({
  page,
  baseURL,
  watch,
}) => {
  await page.goto('/sign-up')
  await expect(page.getByText('You need an invitation.')).toBeVisible()
  await expect(page.getByLabel('Username')).toHaveCount(0)
  expect(await listViolations(page)).toEqual([])

  const url = await invite(baseURL)
  const fill = async () => {
    const username = newName()
    await page.getByLabel('Username').fill(username)
    await page.getByLabel('Password', { exact: true }).fill(password)
    await page.getByRole('button', { name: 'Create account' }).click()
    return username
  }
  await page.goto(url)
  await expect(page.getByLabel('Username')).toBeVisible()
  expect(await listViolations(page)).toEqual([])
  const username = await fill()
  await expect(page.getByText(`Welcome, ${username}.`)).toBeVisible()
  await page.goto('/')
  await signOut(page)

  // It was for one account, and is not kept for the next person.
  await page.goto('/sign-up')
  await expect(page.getByText('You need an invitation.')).toBeVisible()
  await page.goto(url)
  await fill()
  await expect(page.getByText('This invitation has expired, was already used')).toBeVisible()
  watch.faults = watch.faults.filter((fault) => !fault.includes('403'))
})

test('the link works with a wallet, also after another page was visited', async ({ page, context, baseURL }) => {
  await addTestWallet(context, { name: 'Invited' })
  await page.goto(await invite(baseURL))
  await page.getByRole('link', { name: 'Sign in', exact: true }).last().click()
  // The server names passwords first, so the form is the first thing on the page.
  await expect(page.getByRole('main').getByLabel('Username or email')).toBeVisible()
  await page.reload()
  await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Invited' }).click()
  await expect(page.getByRole('heading', { name: /^Hello, / })).toBeVisible()
})
