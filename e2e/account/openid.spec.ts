import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server as HttpServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import * as openid from 'openid-client'
import { enter } from '../lib/steps/enter.ts'
import { newName } from '../lib/steps/newName.ts'
import { asMaster, masterKey } from '../lib/steps/operators.ts'
import { password } from '../lib/steps/password.mjs'
import { expect, serve, test } from '../lib/test.ts'

serve({ masterKey })

// The other product is another host.
let shopUrl = ''
test.afterEach(({ watch }) => {
  watch.faults = watch.faults.filter((fault) => !fault.includes(shopUrl))
})

type Shop = {
  url: string
  http: HttpServer
  configure(issuer: string, client: { clientId: string; secret: string }): void
}

/** A product of somebody else that signs people in with openid-client. */
async function openShop(): Promise<Shop> {
  let settings: { issuer: string; clientId: string; secret: string } | undefined
  const pending = new Map<string, string>()
  const http = createServer(async (request, response) => {
    try {
      if (!settings) throw new Error('not configured')
      const own = `http://localhost:${(http.address() as AddressInfo).port}`
      const url = new URL(request.url ?? '/', own)
      const config = await openid.discovery(new URL(settings.issuer), settings.clientId, settings.secret, undefined, {
        execute: [openid.allowInsecureRequests],
      })
      if (url.pathname === '/callback') {
        const state = url.searchParams.get('state') ?? ''
        const tokens = await openid.authorizationCodeGrant(config, url, {
          pkceCodeVerifier: pending.get(state) ?? '',
          expectedState: state,
        })
        response.setHeader('Content-Type', 'text/html')
        response.end(`<h1>Welcome, ${tokens.claims()?.preferred_username}</h1>`)
        return
      }
      const verifier = openid.randomPKCECodeVerifier()
      const state = openid.randomState()
      pending.set(state, verifier)
      const address = openid.buildAuthorizationUrl(config, {
        redirect_uri: `${own}/callback`,
        scope: 'openid profile email wallets',
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
      })
      response.writeHead(302, { location: address.href }).end()
    } catch (error) {
      response.writeHead(500).end(String(error))
    }
  })
  await new Promise<void>((resolve) => http.listen(0, 'localhost', resolve))
  return {
    url: `http://localhost:${(http.address() as AddressInfo).port}`,
    http,
    configure: (issuer, client) => {
      settings = { issuer, ...client }
    },
  }
}

test('a person signs in to another product, sees it among the connected apps, and ends its access', {
  tag: ['@both'],
}, async ({ page, baseURL }) => {
  const shop = await openShop()
  shopUrl = shop.url
  const input = { name: 'Acme Shop', kind: 'web', redirectUris: [`${shop.url}/callback`] }
  const { clientId, secret } = await asMaster(page, 'POST', '/console/oidcClients', input)
  shop.configure(`${baseURL}/oidc`, { clientId, secret })
  const username = newName()
  await enter(page, username)
  await page.goto('/account/profile')
  await page.context().clearCookies()

  await page.goto(shop.url)
  await expect(page.getByRole('heading', { name: 'Sign in', level: 1 })).toBeVisible()
  // The shop is a third party.
  await expect(page.getByRole('contentinfo')).toContainText('Your sign-in stays on this server.')
  await expect(page.getByRole('contentinfo')).not.toContainText('No third party')
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(page.getByRole('heading', { name: 'Continue to Acme Shop?' })).toBeVisible()
  await expect(page.getByText('See your wallet addresses')).toBeVisible()
  await expect(page.getByRole('contentinfo')).not.toContainText('No third party')
  await page.getByRole('button', { name: 'Allow', exact: true }).click()
  await expect(page.getByRole('heading', { name: `Welcome, ${username}` })).toBeVisible()

  // A known app needs no second consent.
  await page.goto(shop.url)
  await expect(page.getByRole('heading', { name: `Welcome, ${username}` })).toBeVisible()

  await page.goto('/account/apps')
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'Acme Shop' })
  await expect(row).toBeVisible()
  await row.getByRole('button', { name: 'End the access of Acme Shop' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'End access' }).click()
  await expect(page.getByText('No connected apps')).toBeVisible()
  await page.goto(shop.url)
  await expect(page.getByRole('heading', { name: 'Continue to Acme Shop?' })).toBeVisible()
  shop.http.closeAllConnections()
  shop.http.close()
})

test('another site cannot put the consent into a frame, to have it clicked unseen', async ({
  page,
  baseURL,
  watch,
}) => {
  const thief = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '/', 'http://localhost')
    response.setHeader('Content-Type', 'text/html')
    response.end(`<link rel="icon" href="data:,"><h1>Win a prize</h1><iframe src="${searchParams.get('of')}"></iframe>`)
  })
  await new Promise<void>((resolve) => thief.listen(0, 'localhost', resolve))
  const url = `http://localhost:${(thief.address() as AddressInfo).port}`
  const input = { name: 'Thief', kind: 'web', redirectUris: [`${url}/callback`] }
  const { clientId } = await asMaster(page, 'POST', '/console/oidcClients', input)
  await enter(page, newName())
  const request = {
    client_id: clientId,
    redirect_uri: `${url}/callback`,
    response_type: 'code',
    scope: 'openid email',
    code_challenge: 'x'.repeat(43),
    code_challenge_method: 'S256',
  }
  const consent = `${baseURL}/oidc/authorize?${new URLSearchParams(request)}`
  // Alone it opens: the person is signed in, so that the frame would only need a click.
  await page.goto(consent)
  await expect(page.getByRole('button', { name: 'Allow', exact: true })).toBeVisible()
  for (const of of [consent, page.url(), `${baseURL}/oidc/device`, `${baseURL}/account/apps`]) {
    await page.goto(`${url}/?of=${encodeURIComponent(of)}`)
    await expect(page.getByRole('heading', { name: 'Win a prize' })).toBeVisible()
    await expect.poll(() => page.frames().map((frame) => frame.url())).toContain('chrome-error://chromewebdata/')
    await expect(page.frameLocator('iframe').getByRole('button')).toHaveCount(0)
  }
  watch.faults = watch.faults.filter((fault) => !fault.includes(url) && !/frame-ancestors|X-Frame-Options/i.test(fault))
  thief.closeAllConnections()
  thief.close()
})

const terminalFile = fileURLToPath(new URL('../lib/deviceTerminal.mjs', import.meta.url))

/** A terminal that waits for a person, with everything that it has printed. */
function openTerminal(...args: string[]) {
  const child = spawn(process.execPath, [terminalFile, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit').then(([code]) => Number(code))
  let output = ''
  child.stdout.on('data', (chunk) => {
    output += chunk
  })
  return { output: () => output, ended, stop: () => child.kill() }
}

for (const isAllowed of [true, false]) {
  test(`a terminal shows a code, and ${isAllowed ? 'signs the person in' : 'learns of the refusal'}`, {
    tag: ['@both'],
  }, async ({ page, baseURL }) => {
    const input = { name: 'Acme Terminal', kind: 'public', redirectUris: [], device: true }
    const { clientId } = await asMaster(page, 'POST', '/console/oidcClients', input)
    const username = newName()
    await enter(page, username)
    const terminal = openTerminal(`${baseURL}/oidc`, clientId)
    try {
      await expect.poll(terminal.output).toMatch(/Open \S+ and enter \S+/)
      const [, address = '', code = ''] = /Open (\S+) and enter (\S+)/.exec(terminal.output()) ?? []
      await page.goto(address)
      await page.getByLabel('Code').fill(code)
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByRole('heading', { name: 'Connect Acme Terminal?' })).toBeVisible()
      await expect(page.getByText(code)).toBeVisible()
      await page.getByRole('button', { name: 'Continue' }).click()
      await expect(page.getByRole('heading', { name: 'Continue to Acme Terminal?' })).toBeVisible()
      await expect(page.getByText(`Only continue if your device shows this code: ${code}`)).toBeVisible()
      await page.getByRole('button', { name: isAllowed ? 'Allow' : 'Cancel', exact: true }).click()
      if (isAllowed) await expect(page.getByRole('heading', { name: 'Device connected' })).toBeVisible()
      expect(await terminal.ended).toBe(isAllowed ? 0 : 1)
      expect(terminal.output()).toContain(isAllowed ? `Signed in as ${username}` : 'Refused: access_denied')
    } finally {
      terminal.stop()
    }
  })
}
