import { createECDH } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { newName } from '../lib/steps/newName.ts'
import { password } from '../lib/steps/password.mjs'
import { expect, serve, test } from '../lib/test.ts'

const ecdh = createECDH('prime256v1')
ecdh.generateKeys()
const publicKey = ecdh.getPublicKey('base64url')
const privateKey = ecdh.getPrivateKey().toString('base64url').padStart(43, 'A')

test.use({ serviceWorkers: 'allow' })
serve({ push: { web: { publicKey, privateKey, subject: 'mailto:ops@example.com' } } })

const packages = fileURLToPath(new URL('../../packages/', import.meta.url))

/** A page with the published session layer, and a button. Its files are served here, the rest by the server. */
const html = `<!doctype html><title>Push</title><link rel="icon" href="data:," />
<script type="importmap">{ "imports": { "@countersign/protocol": "/packages/protocol/dist/index.js" } }</script>
<button id="subscribe">Notify me</button><button id="unsubscribe">No more</button><output></output>
<script type="module">
  import * as core from '/packages/react/dist/core.js'
  const { appId } = await (await fetch('/config.json')).json()
  const client = core.createClient({ appId, serverUrl: location.origin + '/server', throwOnError: true })
  await core.initialize(client)
  const show = async (asked) => {
    const answer = await asked.catch((error) => error.message)
    document.querySelector('output').value = (answer ?? '') + ' / ' + await core.getPushState(client)
  }
  document.querySelector('#subscribe').onclick = () => show(core.subscribeToPush(client, { channels: ['news'] }))
  document.querySelector('#unsubscribe').onclick = () => show(core.unsubscribeFromPush(client))
  // Nobody pressed anything: nobody is asked.
  const unasked = await core.subscribeToPush(client).catch((error) => error.message)
  window.push = { core, client, unasked }
  await show(Promise.resolve('ready'))
</script>`

/** No push service can be reached here: what the browser would have got from it is put in its place, and nothing else. */
function answerSubscribe() {
  let subscription: object | null = null
  const address = 'https://fcm.googleapis.com/fcm/send/of-this-browser'
  const keys = { p256dh: 'of-this-browser', auth: 'secret-of-it' }
  PushManager.prototype.subscribe = async (options) => {
    if (!options?.userVisibleOnly || typeof options.applicationServerKey !== 'string') throw new Error('wrong options')
    subscription = {
      endpoint: address,
      toJSON: () => ({ endpoint: address, keys }),
      unsubscribe: async () => {
        subscription = null
        return true
      },
    }
    return subscription as PushSubscription
  }
  PushManager.prototype.getSubscription = async () => subscription as PushSubscription | null
}

async function openPage(page: Page): Promise<void> {
  await page.route('**/push-page', (route) => route.fulfill({ contentType: 'text/html', body: html }))
  await page.route('**/packages/**', async (route) => {
    const { pathname } = new URL(route.request().url())
    const body = await readFile(`${packages}${pathname.slice('/packages/'.length)}`, 'utf8')
    await route.fulfill({ contentType: 'text/javascript', body })
  })
  await page.addInitScript(answerSubscribe)
  await page.goto('/push-page')
  await expect(page.locator('output')).toHaveText(/ready/)
}

type Core = { signUp(client: object, input: object): Promise<{ objectId: string }> }
type Shown = { push: { core: Core; client: object; unasked: string } }

test('a press subscribes the browser for its user, a push is shown, and another press ends it', async ({
  page,
  context,
  api,
  baseURL,
}) => {
  await openPage(page)
  await expect(page.locator('output')).toHaveText('ready / default')
  const unasked = await page.evaluate(() => (globalThis as unknown as Shown).push.unasked)
  expect(unasked).toContain('when the user clicks a button')

  await context.grantPermissions(['notifications'])
  const username = newName()
  const userId = await page.evaluate(
    async (input) => {
      const { core, client } = (globalThis as unknown as Shown).push
      return (await core.signUp(client, input)).objectId
    },
    { username, password },
  )
  const saved = page.waitForResponse((response) => response.url().endsWith('/server/installations'))
  await page.locator('#subscribe').click()
  await expect(page.locator('output')).toHaveText('subscribed / subscribed')
  const { objectId } = (await (await saved).json()) as { objectId: string }
  expect(await api.call('GET', `/installations/${objectId}`)).toMatchObject({
    status: 200,
    deviceType: 'web',
    deviceToken: 'https://fcm.googleapis.com/fcm/send/of-this-browser',
    pushKeys: { p256dh: 'of-this-browser', auth: 'secret-of-it' },
    channels: ['news'],
    user: { className: '_User', objectId: userId },
  })

  const session = await context.newCDPSession(page)
  const found = new Promise<string>((resolve) => {
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      const [own] = registrations.filter(({ isDeleted, scopeURL }) => !isDeleted && scopeURL === `${baseURL}/`)
      if (own) resolve(own.registrationId)
    })
  })
  await session.send('ServiceWorker.enable')
  const registrationId = await found
  const deliver = (data: string) =>
    session.send('ServiceWorker.deliverPushMessage', { origin: String(baseURL), registrationId, data })
  const shown = () =>
    page.evaluate(async () => {
      const registration = await navigator.serviceWorker.getRegistration()
      const notifications = (await registration?.getNotifications()) ?? []
      return notifications.map(({ title, body, data }) => [title, body, data?.url ?? null])
    })
  await deliver(JSON.stringify({ title: 'News', alert: 'Hello', tag: 'one', url: '/account' }))
  await expect.poll(shown).toEqual([['News', 'Hello', '/account']])
  // In the form of the older protocol, and without JSON.
  await deliver(JSON.stringify({ alert: { title: 'Older', body: 'form' }, tag: 'one' }))
  await expect.poll(shown).toEqual([['Older', 'form', null]])
  await deliver('plain words')
  await expect.poll(async () => (await shown()).map(([, body]) => body).sort()).toEqual(['form', 'plain words'])

  await page.locator('#unsubscribe').click()
  await expect(page.locator('output')).toHaveText('/ default')
  const left = await api.call('GET', `/installations/${objectId}`)
  expect(left.status).toBe(200)
  for (const field of ['deviceToken', 'pushKeys', 'user']) expect(left).not.toHaveProperty(field)
})
