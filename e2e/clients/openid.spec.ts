import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { findFreePort } from '../../scripts/steps/programs/findFreePort.mjs'
import { startNext } from '../lib/servers/startNext.mjs'
import { startServer } from '../lib/servers/startServer.mjs'
import { masterKey } from '../lib/steps/operators.ts'
import { signInByWallet } from '../lib/steps/signInByWallet.mjs'
import { signOut } from '../lib/steps/signOut.ts'
import { expect, serveBy } from '../lib/test.ts'
import { walletTest as test } from '../lib/walletTest.ts'

type Registered = { url: string; clientId: string; secret: string }

const shopsFile = fileURLToPath(new URL('../apps/shops.mjs', import.meta.url))

// Client libraries of others, each in a product on an address of its own.
let shops: ChildProcess
const urls = { authjs: '', express: '', oauth4webapi: '' }

async function register(server: string, name: string, url: string, path: string): Promise<Registered> {
  const { appId } = await (await fetch(`${server}/config.json`)).json()
  const response = await fetch(`${server}/server/console/oidcClients`, {
    method: 'POST',
    headers: { 'X-Parse-Application-Id': appId, 'X-Parse-Master-Key': masterKey },
    body: JSON.stringify({
      name,
      kind: 'web',
      redirectUris: [`${url}${path}`],
      postLogoutRedirectUris: [url],
      // The path of express-openid-connect; the others do not listen.
      ...(name === 'express' && { backchannelLogoutUri: `${url}/backchannel-logout` }),
    }),
  })
  const { clientId, secret } = await response.json()
  return { url, clientId, secret }
}

serveBy(async () => {
  const server = await startServer({ masterKey })
  const next = await startNext('authjs', async (url) => {
    const { clientId, secret } = await register(server.url, 'authjs', url, '/auth/callback/countersign')
    return { url: server.url, stop: async () => {}, env: { CLIENT_ID: clientId, CLIENT_SECRET: secret } }
  })
  urls.authjs = next.url
  urls.oauth4webapi = `http://localhost:${await findFreePort()}`
  urls.express = `http://localhost:${await findFreePort()}`
  shops = fork(shopsFile, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const ready = once(shops, 'message')
  shops.send({
    issuer: `${server.url}/oidc`,
    web: await register(server.url, 'oauth4webapi', urls.oauth4webapi, '/callback'),
    express: await register(server.url, 'express', urls.express, '/callback'),
  })
  await ready
  const stop = async () => {
    shops.kill()
    await Promise.all([next.stop(), server.stop()])
  }
  return { ...server, stop }
})

test.afterEach(({ watch }) => {
  // The sign-in page of Auth.js has a picture of its makers.
  const others = [...Object.values(urls), 'https://authjs.dev/']
  watch.faults = watch.faults.filter((fault) => !others.some((url) => fault.includes(url)))
})

/** Opens the product, up to the page of the provider. */
const openers = {
  oauth4webapi: (page: Page) => page.goto(urls.oauth4webapi),
  express: (page: Page) => page.goto(urls.express),
  authjs: async (page: Page) => {
    await page.goto(`${urls.authjs}/auth/signin?callbackUrl=${encodeURIComponent(urls.authjs)}`)
    await page.getByRole('button', { name: 'Sign in with Countersign' }).click()
  },
}

for (const [name, open] of Object.entries(openers)) {
  test(`a person signs in by wallet to a product that uses ${name}`, async ({ page, wallet }) => {
    const username = await signInByWallet(page)
    await page.context().clearCookies()
    await page.evaluate(() => localStorage.clear())

    await open(page)
    await expect(page.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible()
    await page.getByRole('button', { name: 'Sign in with a wallet' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Test Wallet' }).click()
    await expect(page.getByRole('heading', { name: `Continue to ${name}?` })).toBeVisible()
    await expect(page.getByText('See your wallet addresses')).toBeVisible()
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await expect(page.getByRole('heading', { name: `Welcome, ${username}` })).toBeVisible()
    await expect(page.getByText(new RegExp(`eip155:1:${wallet.addresses[0]}`, 'i'))).toBeVisible()
  })
}

test('signing out here ends the session at a product that listens, by back-channel logout', async ({
  page,
  baseURL,
}) => {
  const username = await signInByWallet(page)
  await openers.express(page)
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Welcome, ${username}` })).toBeVisible()
  // Its session is its own: it needs nothing of ours to go on.
  await page.goto(urls.express)
  await expect(page.getByRole('heading', { name: `Welcome, ${username}` })).toBeVisible()

  await page.goto(`${baseURL}/account/profile`)
  await signOut(page)
  // The notice is sent in the background.
  await expect(async () => {
    await page.goto(urls.express)
    await expect(page.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible({ timeout: 2_000 })
  }).toPass()
})
