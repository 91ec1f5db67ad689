// biome-ignore-all lint/correctness/noUndeclaredDependencies: it runs with the packages of the repository
// A list of 500 documents in a browser, by our hooks and by TanStack Query, on the same server: requests, renders,
// an outage, a slow network. npm run bench -- --only lists
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright'
import { build } from 'vite'
import { chromiumOptions } from '../../e2e/lib/chromiumOptions.mjs'
import { startServer } from '../../e2e/lib/servers/startServer.mjs'

const pages = fileURLToPath(new URL('./pages', import.meta.url))
const amount = 500
/** Time (ms) without a request after which a step counts as done. */
const quiet = 1500
const outage = 10_000
const latency = 3000

/** @typedef {import('playwright').BrowserContext} Context */
/** @typedef {import('playwright').Page} Page */
/** @typedef {{ url: string, appId: string, folder: string }} Site */
/** @typedef {{ requests: number, rows: number }} Counts */

/** @param {string} folder */
async function bundlePages(folder) {
  for (const name of ['countersign', 'tanstack', 'fetch']) {
    await build({
      configFile: false,
      root: pages,
      logLevel: 'error',
      define: { 'process.env.NODE_ENV': '"production"' },
      build: {
        outDir: folder,
        emptyOutDir: false,
        lib: { entry: join(pages, `${name}.tsx`), formats: ['es'], fileName: () => `${name}.js` },
        rolldownOptions: { output: { codeSplitting: false } },
      },
    })
  }
}

/**
 * A page on the server's own origin, so that no library is charged for CORS.
 *
 * @param {Context} context
 * @param {Site} site
 * @param {string} library
 */
async function openPage(context, site, library) {
  await context.route(`${site.url}/bench/*`, async (route) => {
    const name = new URL(route.request().url()).pathname.slice('/bench/'.length)
    if (name.endsWith('.js')) return route.fulfill({ path: join(site.folder, name), contentType: 'text/javascript' })
    const body = `<!doctype html><div id="root"></div><script type="module" src="/bench/${name}.js"></script>`
    return route.fulfill({ body, contentType: 'text/html' })
  })
  const page = await context.newPage()
  page.on('pageerror', (error) => console.error(library, error.message))
  const counter = { requests: 0, open: 0, last: 0 }
  const isOurs = (/** @type {import('playwright').Request} */ request) =>
    request.url().startsWith(`${site.url}/server/`)
  page.on('request', (request) => {
    if (!isOurs(request)) return
    counter.requests += 1
    counter.open += 1
    counter.last = performance.now()
  })
  for (const event of /** @type {const} */ (['requestfinished', 'requestfailed'])) {
    page.on(/** @type {'requestfinished'} */ (event), (request) => {
      if (!isOurs(request)) return
      counter.open -= 1
      counter.last = performance.now()
    })
  }
  const query = new URLSearchParams({ appId: site.appId, serverUrl: '/server' })
  return { page, counter, open: () => page.goto(`${site.url}/bench/${library}?${query}`) }
}

/**
 * Requests and rendered rows of one step, counted until nothing is sent any more.
 *
 * @param {{ page: Page, counter: { requests: number, open: number, last: number } }} opened
 * @param {() => Promise<unknown>} act
 * @returns {Promise<Counts>}
 */
async function count({ page, counter }, act) {
  const before = await readRenders(page)
  const { requests } = counter
  counter.last = performance.now()
  await act()
  while (counter.open > 0 || performance.now() - counter.last < quiet) await sleep(100)
  return { requests: counter.requests - requests, rows: (await readRenders(page)) - before }
}

/** @param {Page} page @returns {Promise<number>} */
async function readRenders(page) {
  return page.evaluate(() => Object(globalThis).bench?.rows ?? 0)
}

/** @param {Page} page @param {string} action */
function start(page, action) {
  return page.evaluate((name) => void Object(globalThis).bench[name](), action)
}

/** @param {Page} page */
function focus(page) {
  return page.evaluate(() => {
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }))
    window.dispatchEvent(new Event('focus'))
  })
}

/** @param {Page} page @param {number} rows */
function untilShown(page, rows, timeout = 30_000) {
  return page.waitForFunction((number) => document.querySelectorAll('li').length >= number, rows, { timeout })
}

/**
 * @param {Context} context
 * @param {Site} site
 * @param {string} library
 * @param {readonly string[]} ids of documents that are read one by one; none for one list
 */
async function countSteps(context, site, library, ids) {
  const opened = await openPage(context, site, library)
  const { page, open } = opened
  await page.addInitScript((list) => sessionStorage.setItem('ids', list), JSON.stringify(ids))
  const load = await count(opened, async () => {
    await open()
    await untilShown(page, amount)
  })
  const save = await count(opened, () => start(page, 'save'))
  const create = await count(opened, () => start(page, 'create'))
  const refetch = await count(opened, () => focus(page))
  await page.close()
  return { load, save, create, refetch }
}

/**
 * The page is opened while the server cannot be reached, and nobody touches it.
 *
 * @param {Context} context
 * @param {Site} site
 * @param {string} library
 */
async function measureOutage(context, site, library) {
  const opened = await openPage(context, site, library)
  const api = `${site.url}/server/**`
  await context.route(api, (route) => route.abort('connectionrefused'))
  await opened.open()
  await sleep(outage)
  await context.unroute(api)
  const since = performance.now()
  const shown = await untilShown(opened.page, amount).then(
    () => performance.now() - since,
    () => undefined,
  )
  const { requests } = opened.counter
  await opened.page.close()
  return { requests, shown }
}

/**
 * Time until name and rows are on show, with every response 3 s late.
 *
 * @param {Context} context
 * @param {Site} site
 * @param {string} library
 * @param {{ username: string, password: string }} account
 */
async function measureSlowLoad(context, site, library, account) {
  const { page, open } = await openPage(context, site, library)
  await open()
  await signIn(page, site, account)
  await open()
  await page.getByText(account.username).waitFor()
  const api = `${site.url}/server/**`
  await context.route(api, async (route) => {
    await sleep(latency)
    await route.continue()
  })
  const since = performance.now()
  await page.reload({ waitUntil: 'commit' })
  const [name, rows] = await Promise.all([
    page
      .getByText(account.username)
      .waitFor()
      .then(() => performance.now() - since),
    untilShown(page, amount).then(() => performance.now() - since),
  ])
  await context.unroute(api)
  await page.close()
  return { name, rows }
}

/**
 * Leaves a session where each page looks for one.
 *
 * @param {Page} page
 * @param {Site} site
 * @param {{ username: string, password: string }} account
 */
async function signIn(page, { appId }, account) {
  await page.evaluate(
    async ({ appId, account }) => {
      const response = await fetch('/server/login', {
        method: 'POST',
        headers: { 'X-Parse-Application-Id': appId, 'Content-Type': 'application/json' },
        body: JSON.stringify(account),
      })
      const { sessionToken, ...user } = await response.json()
      localStorage.setItem('token', sessionToken)
      localStorage.setItem(`Countersign/${appId}/session`, JSON.stringify({ user, id: 'bench', token: sessionToken }))
    },
    { appId, account },
  )
}

/**
 * @param {Site} site
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 */
async function ask({ url, appId }, method, path, body) {
  const headers = { 'X-Parse-Application-Id': appId, 'Content-Type': 'application/json' }
  const response = await fetch(`${url}/server${path}`, { method, headers, body: body && JSON.stringify(body) })
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
  return response.json()
}

/** @param {Site} site @returns {Promise<string[]>} ids */
async function fill(site) {
  const ids = []
  for (let from = 0; from < amount; from += 20) {
    const requests = Array.from({ length: 20 }, (_, index) => ({
      method: 'POST',
      path: '/server/classes/Row',
      body: { n: from + index, score: 0 },
    }))
    const answers = await ask(site, 'POST', '/batch', { requests })
    const refused = answers.find((/** @type {{ error?: object }} */ { error }) => error)
    if (refused) throw new Error(JSON.stringify(refused))
    ids.push(...answers.map((/** @type {{ success: { objectId: string } }} */ { success }) => success.objectId))
  }
  return ids
}

/** @param {number | undefined} milliseconds */
const seconds = (milliseconds) => (milliseconds === undefined ? 'never' : `${(milliseconds / 1000).toFixed(1)} s`)

async function main() {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-lists-'))
  // Before the bundler, which turns this process, and what it starts, into a production one.
  const server = await startServer()
  await bundlePages(folder)
  const browser = await chromium.launch(chromiumOptions)
  try {
    const { appId } = await (await fetch(`${server.url}/config.json`)).json()
    const site = { url: server.url, appId, folder }
    const ids = await fill(site)
    const account = { username: 'ada-of-the-bench', password: 'correct horse battery' }
    await ask(site, 'POST', '/users', account)
    /** @type {<Result>(run: (context: Context) => Promise<Result>) => Promise<Result>} */
    const alone = async (run) => {
      const context = await browser.newContext()
      return run(context).finally(() => context.close())
    }
    const libraries = ['countersign', 'tanstack']
    const { version } = JSON.parse(
      await readFile(new URL('../../node_modules/@tanstack/react-query/package.json', import.meta.url), 'utf8'),
    )
    const lines = [
      `| ${amount} documents, requests / rows rendered | Countersign | TanStack Query ${version} |`,
      '|---|---|---|',
    ]
    for (const [title, list] of /** @type {[string, string[]][]} */ ([
      ['one list', []],
      ['one hook a row', ids],
    ])) {
      const [ours, theirs] = [
        await alone((context) => countSteps(context, site, 'countersign', list)),
        await alone((context) => countSteps(context, site, 'tanstack', list)),
      ]
      for (const step of /** @type {const} */ (['load', 'save', 'create', 'refetch'])) {
        const name = { load: 'first load', save: 'one row saved', create: 'one row created', refetch: 'page focused' }[
          step
        ]
        const cells = [ours, theirs].map((counts) => `${counts[step].requests} / ${counts[step].rows}`)
        lines.push(`| ${title}: ${name} | ${cells.join(' | ')} |`)
      }
    }
    const outages = []
    for (const library of libraries) outages.push(await alone((context) => measureOutage(context, site, library)))
    lines.push(
      `| opened in an outage of ${outage / 1000} s: rows on show after its end | ${outages.map(({ shown }) => seconds(shown)).join(' | ')} |`,
      `| the same: requests | ${outages.map(({ requests }) => requests).join(' | ')} |`,
    )
    const slow = []
    for (const library of ['countersign', 'tanstack', 'fetch'])
      slow.push(await alone((context) => measureSlowLoad(context, site, library, account)))
    lines.push(
      '',
      `| every response ${latency / 1000} s late, signed in | Countersign | TanStack Query | plain fetch |`,
      '|---|---|---|---|',
      `| name on show | ${slow.map(({ name }) => seconds(name)).join(' | ')} |`,
      `| rows on show | ${slow.map(({ rows }) => seconds(rows)).join(' | ')} |`,
    )
    console.log(lines.join('\n'))
  } finally {
    await browser.close()
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

await main()
