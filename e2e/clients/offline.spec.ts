import { type BrowserContext, test as base, expect, type Page } from '@playwright/test'
import { startApps } from '../lib/servers/startApps.mjs'
import { startServer } from '../lib/servers/startServer.mjs'
import { addAuthenticator } from '../lib/steps/addAuthenticator.ts'

type Site = { url: string; appId: string; masterKey: string; appsUrl: string }
type Line = { cut: (context: BrowserContext) => Promise<void>; join: (context: BrowserContext) => Promise<void> }
type Master = (method: string, path: string, body?: object) => Promise<Record<string, unknown>>

const masterKey = 'master-key-of-the-offline-tests'

const test = base.extend<
  {
    line: Line
    master: Master
    open: (context: BrowserContext, more?: object, prepare?: (page: Page) => Promise<void>) => Promise<Page>
  },
  { site: Site }
>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from here
    async ({}, use) => {
      const apps = await startApps()
      const server = await startServer({ masterKey, offline: { classes: ['Note', 'Plan'] } })
      const { appId } = await (await fetch(`${server.url}/config.json`)).json()
      await use({ url: server.url, appId, masterKey, appsUrl: apps.url })
      await Promise.all([apps.stop(), server.stop()])
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures from here
  line: async ({}, use) => {
    const away = new Set<BrowserContext>()
    const sockets = new Map<BrowserContext, Set<{ close: () => Promise<void> }>>()
    const watched = new Set<BrowserContext>()
    const watch = async (context: BrowserContext) => {
      if (watched.has(context)) return
      watched.add(context)
      sockets.set(context, new Set())
      await context.route('**/server/**', (route) => (away.has(context) ? route.abort() : route.continue()))
      await context.routeWebSocket(/\/server/, (socket) => {
        if (away.has(context)) return void socket.close()
        socket.connectToServer()
        sockets.get(context)?.add(socket)
      })
    }
    await use({
      async cut(context) {
        await watch(context)
        away.add(context)
        for (const socket of sockets.get(context) ?? []) await socket.close().catch(() => undefined)
        sockets.get(context)?.clear()
      },
      async join(context) {
        await watch(context)
        away.delete(context)
        for (const page of context.pages())
          await page.evaluate(() => dispatchEvent(new Event('online'))).catch(() => undefined)
      },
    })
  },
  open: async ({ site, line }, use) => {
    await use(async (context, more = {}, prepare = async () => {}) => {
      await (context.pages().length === 0 && line.join(context))
      const page = await context.newPage()
      await prepare(page)
      const query = new URLSearchParams({ appId: site.appId, serverUrl: `${site.url}/server`, ...more })
      // Passkeys belong to a name, not to an address in numbers.
      await page.goto(`${site.appsUrl.replace('127.0.0.1', 'localhost')}/offline/?${query}`)
      return page
    })
  },
  master: async ({ site }, use) => {
    await use(async (method, path, body) => {
      const headers = {
        'X-Parse-Application-Id': site.appId,
        'X-Parse-Master-Key': masterKey,
        'Content-Type': 'application/json',
      }
      const response = await fetch(`${site.url}/server${path}`, { method, headers, body: body && JSON.stringify(body) })
      return response.json()
    })
  },
})

type Actions = { [name: string]: (...input: unknown[]) => Promise<unknown> }

const act = (page: Page, name: string, ...input: unknown[]) =>
  page.evaluate(
    ([called, given]) =>
      (window as unknown as { actions: Actions }).actions[called as string]?.(...(given as unknown[])),
    [name, input] as const,
  )
const text = (page: Page, id: string) => page.locator(`[id="${id}"]`)
const password = 'correct horse battery'
let counter = 0

async function signUp(page: Page): Promise<{ name: string; id: string }> {
  const name = `offline${Date.now()}${counter++}`
  await expect(text(page, 'session')).toContainText('unauthenticated')
  await act(page, 'signUp', name, password)
  await expect(text(page, 'current')).toHaveText('true')
  return { name, id: String(await act(page, 'userId')) }
}

/** Ends the tab's process, as the operating system does when memory runs out. */
async function kill(page: Page): Promise<void> {
  const crashed = page.waitForEvent('crash')
  void page.goto('chrome://crash').catch(() => undefined)
  await crashed
  await page.close()
}

const idsOf = async (master: Master, owner: string) => {
  const where = encodeURIComponent(JSON.stringify({ owner }))
  const { results } = await master('GET', `/classes/Note?limit=1000&where=${where}`)
  return (results as { objectId: string }[]).map(({ objectId }) => objectId).sort()
}

/** Everything in the IndexedDB of a page's origin. */
const readDisk = (page: Page) =>
  page.evaluate(async () => {
    const open = indexedDB.open('Countersign/offline')
    const database = await new Promise<IDBDatabase>((resolve) => {
      open.onsuccess = () => resolve(open.result)
    })
    const items = database.transaction('items').objectStore('items')
    const [keys, values] = [items.getAllKeys(), items.getAll()]
    await new Promise((resolve) => {
      items.transaction.oncomplete = resolve
    })
    database.close()
    return JSON.stringify([keys.result, values.result])
  })

test('a tab is killed in the middle of 200 queued writes and of sending: nothing lost, nothing doubled', async ({
  context,
  line,
  open,
  master,
}) => {
  const page = await open(context)
  const { id } = await signUp(page)
  await line.cut(context)
  void act(page, 'create', 0, 200, { owner: id }).catch(() => undefined)
  await expect.poll(async () => Number(await text(page, 'pending').textContent())).toBeGreaterThan(60)
  const first = (await act(page, 'acknowledged')) as string[]
  await kill(page)
  const second = await open(context)
  await expect.poll(async () => Number(await text(second, 'count').textContent())).toBeGreaterThanOrEqual(first.length)
  await act(second, 'create', 200, 300, { owner: id })
  const more = (await act(second, 'acknowledged')) as string[]
  await line.join(context)
  await expect.poll(async () => (await idsOf(master, id)).length).toBeGreaterThan(20)
  await kill(second)
  const third = await open(context)
  // Until the device has opened, nothing is known to wait.
  await expect(text(third, 'current')).toHaveText('true', { timeout: 120_000 })
  await expect(text(third, 'pending')).toHaveText('0', { timeout: 120_000 })
  const ids = await idsOf(master, id)
  expect(new Set(ids).size).toBe(ids.length)
  for (const acknowledged of [...first, ...more]) expect(ids).toContain(acknowledged)
  await expect.poll(async () => Number(await text(third, 'count').textContent())).toBe(ids.length)
})

test('opened offline, 1,000 rows are on show from the device', async ({ context, line, open, master }, {
  annotations,
}) => {
  const page = await open(context)
  const { id } = await signUp(page)
  const mount = '/server/classes/Note'
  for (let start = 0; start < 1_000; start += 50) {
    const requests = Array.from({ length: 50 }, (_, index) => ({
      method: 'POST',
      path: mount,
      body: { n: start + index, owner: id, ACL: { [id]: { read: true, write: true } } },
    }))
    await master('POST', '/batch', { requests })
  }
  await expect(text(page, 'count')).toHaveText('1000', { timeout: 120_000 })
  console.log('A read of 1,000 rows, in ms', await act(page, 'measure'))
  await page.close()
  await line.cut(context)
  const offline = await open(context)
  await expect(text(offline, 'count')).toHaveText('1000')
  await expect(text(offline, 'state')).toHaveText('success stale')
  await expect(offline.locator('.cs-sync-status')).toContainText('Offline, as of')
  const took = await offline.evaluate(() => document.body.dataset.shownAfter)
  annotations.push({ type: 'rows on show after', description: `${took} ms` })
  console.log(`1,000 rows on show ${took} ms after the start of the script`)
})

test('two tabs and two browsers write the same document offline', async ({ browser, context, line, open, master }) => {
  const [one, two] = [await open(context), await open(context)]
  const { name, id } = await signUp(one)
  await expect(text(two, 'session')).toHaveText(`authenticated ${name}`)
  await act(one, 'create', 0, 1, { owner: id })
  await expect(text(one, 'pending')).toHaveText('0')
  const [noteId = ''] = await idsOf(master, id)
  const elsewhere = await browser.newContext()
  const other = await open(elsewhere)
  await act(other, 'signIn', name, password)
  await expect(text(other, noteId)).toBeVisible()
  await expect(text(two, noteId)).toBeVisible()
  await line.cut(context)
  await line.cut(elsewhere)
  await Promise.all([act(one, 'add', noteId), act(two, 'add', noteId), act(other, 'add', noteId)])
  await Promise.all([act(one, 'say', noteId, 'first browser'), act(other, 'say', noteId, 'second browser')])
  // Both tabs show what either has written.
  await expect(text(two, noteId)).toHaveText('0 first browser 2')
  await expect(text(one, noteId)).toHaveText('0 first browser 2')
  await line.join(context)
  await expect(text(one, 'pending')).toHaveText('0', { timeout: 60_000 })
  await line.join(elsewhere)
  await expect(text(other, 'pending')).toHaveText('0', { timeout: 60_000 })
  for (const page of [one, two, other])
    await expect(text(page, noteId)).toHaveText('0 second browser 3', { timeout: 60_000 })
  expect(await master('GET', `/classes/Note/${noteId}`)).toMatchObject({ total: 3, text: 'second browser' })
  await elsewhere.close()
})

test('user A signs out and B signs in: nothing of A is on the device, in no tab', async ({ context, open, master }) => {
  const [page, tab] = [await open(context), await open(context)]
  const first = await signUp(page)
  const secret = `secret of ${first.name}`
  await act(page, 'create', 0, 3, { owner: first.id, text: secret, ACL: { [first.id]: { read: true, write: true } } })
  await expect(text(page, 'pending')).toHaveText('0')
  // Documents of earlier tests are public, and count too.
  await expect(tab.locator('#notes li', { hasText: secret })).toHaveCount(3)
  expect(await readDisk(page)).toContain(secret)
  await act(page, 'signOut')
  await expect(text(tab, 'session')).toContainText('unauthenticated')
  await expect.poll(() => readDisk(page)).not.toContain(secret)
  await signUp(page)
  await expect(tab.locator('#notes')).not.toContainText(secret)
  await expect(page.locator('#notes')).not.toContainText(secret)
  const disk = await readDisk(page)
  expect(disk).not.toContain(secret)
  expect(disk).not.toContain(first.id)
  expect((await idsOf(master, first.id)).length).toBe(3)
})

test('a role is revoked while the browser is offline: its rows are gone after the reconnect', async ({
  context,
  line,
  open,
  master,
}) => {
  const page = await open(context)
  const { id } = await signUp(page)
  const memberOf = (__op: string) => ({
    users: { __op, objects: [{ __type: 'Pointer', className: '_User', objectId: id }] },
  })
  const { objectId } = await master('POST', '/roles', { name: `crew${id}`, ACL: {}, ...memberOf('AddRelation') })
  await master('POST', '/classes/Plan', { text: `plan ${id}`, ACL: { [`role:crew${id}`]: { read: true } } })
  await expect(text(page, 'plans')).toContainText(`plan ${id}`)
  await line.cut(context)
  await master('PUT', `/roles/${objectId}`, memberOf('RemoveRelation'))
  await expect(text(page, 'plans')).toContainText(`plan ${id}`)
  await line.join(context)
  await expect(text(page, 'plans')).not.toContainText(`plan ${id}`, { timeout: 60_000 })
  expect(await readDisk(page)).not.toContain(`plan ${id}`)
  await line.cut(context)
  await page.reload()
  await expect(text(page, 'state')).toContainText('success')
  await expect(text(page, 'plans')).not.toContainText(`plan ${id}`)
})

for (const [how, refuse] of [
  [
    'throws',
    () => {
      throw new DOMException('Access is denied.', 'SecurityError')
    },
  ],
  [
    'rejects',
    () => {
      const request = {} as { onerror?: () => void; error: DOMException }
      request.error = new DOMException('A mutation operation was attempted.', 'InvalidStateError')
      setTimeout(() => request.onerror?.())
      return request
    },
  ],
] as const)
  test(`the browser refuses IndexedDB (open ${how}): everything works online, in two tabs, and says that nothing is kept`, async ({
    browser,
    line,
    open,
    master,
  }) => {
    const context = await browser.newContext()
    await context.addInitScript(`IDBFactory.prototype.open = ${refuse}`)
    const page = await open(context)
    const { id } = await signUp(page)
    await expect(text(page, 'kept')).toHaveText('false')
    await expect(page.locator('.cs-sync-status')).toContainText('Nothing is kept on this device')
    const ACL = { [id]: { read: true, write: true } }
    await act(page, 'create', 0, 2, { owner: id, text: `note of ${id}`, ACL })
    await expect(text(page, 'pending')).toHaveText('0')
    expect(await idsOf(master, id)).toHaveLength(2)
    // The second tab reads for itself: the first one has nothing to share.
    const tab = await open(context)
    const notesOf = (shown: Page) => shown.locator('#notes li', { hasText: `note of ${id}` })
    for (const shown of [page, tab]) {
      await expect(text(shown, 'state')).toHaveText('success')
      await expect(notesOf(shown)).toHaveCount(2)
    }
    await act(tab, 'create', 2, 3, { owner: id, text: `note of ${id}`, ACL })
    await expect(notesOf(page)).toHaveCount(3)
    await line.cut(context)
    await act(page, 'create', 3, 4, { owner: id, text: `note of ${id}`, ACL })
    await expect(notesOf(page)).toHaveCount(4)
    await line.join(context)
    await expect(text(page, 'pending')).toHaveText('0')
    for (const shown of [page, tab]) await expect(notesOf(shown)).toHaveCount(4)
    expect(await idsOf(master, id)).toHaveLength(4)
    await page.reload()
    await expect(text(page, 'session')).toContainText('authenticated')
    await expect(notesOf(page)).toHaveCount(4)
    await expect(text(page, 'state')).toHaveText('success')
    await context.close()
  })

/** Bytes on the disk as text, and the kinds of objects there. */
const readBytes = (page: Page) =>
  page.evaluate(async () => {
    const open = indexedDB.open('Countersign/offline')
    const database = await new Promise<IDBDatabase>((resolve) => {
      open.onsuccess = () => resolve(open.result)
    })
    const items = database.transaction('items').objectStore('items')
    const values = items.getAll()
    await new Promise((resolve) => {
      items.transaction.oncomplete = resolve
    })
    database.close()
    const kinds = new Set<string>()
    let text = ''
    const read = (value: unknown) => {
      kinds.add(Object.prototype.toString.call(value).slice(8, -1))
      if (value instanceof ArrayBuffer) text += new TextDecoder('latin1').decode(value)
      else if (typeof value === 'string') text += value
      else if (typeof value === 'object' && value !== null && !ArrayBuffer.isView(value))
        Object.values(value).forEach(read)
    }
    read(values.result)
    return { count: values.result.length, text, kinds: [...kinds].sort() }
  })

test('with a key from a passkey everything on the device is encrypted, and opens offline with the same passkey', async ({
  context,
  line,
  open,
}) => {
  const page = await open(context, { encrypted: 'yes' }, async (made) => {
    await addAuthenticator(made, { hasPrf: true })
  })
  const enabled = await page.evaluate(async () => {
    const bytes = () => crypto.getRandomValues(new Uint8Array(32))
    const made = await navigator.credentials.create({
      publicKey: {
        challenge: bytes(),
        rp: { name: 'Offline' },
        user: { id: bytes(), name: 'ada', displayName: 'Ada' },
        pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
        extensions: { prf: {} },
      },
    })
    return (made as PublicKeyCredential).getClientExtensionResults().prf?.enabled
  })
  expect(enabled).toBe(true)
  const { id } = await signUp(page)
  const secret = `secret of ${id}`
  await act(page, 'create', 0, 3, { owner: id, text: secret, ACL: { [id]: { read: true, write: true } } })
  await expect(text(page, 'pending')).toHaveText('0')
  await expect(page.locator('#notes li', { hasText: secret })).toHaveCount(3)
  await line.cut(context)
  await act(page, 'create', 3, 4, { owner: id, text: secret, ACL: { [id]: { read: true, write: true } } })
  const disk = await readBytes(page)
  expect(disk.count).toBeGreaterThan(4)
  expect(disk.text).not.toContain('secret')
  expect(disk.text).not.toContain(id)
  expect(disk.kinds).toEqual(['Array', 'ArrayBuffer', 'Object', 'Uint8Array'])
  expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain(secret)
  await page.reload()
  await expect(page.locator('#notes li', { hasText: secret })).toHaveCount(4)
  await expect(text(page, 'state')).toHaveText('success stale')
  await expect(text(page, 'pending')).toHaveText('1')
  await line.join(context)
  await expect(text(page, 'pending')).toHaveText('0')
})
