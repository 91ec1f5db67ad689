import type { Page } from '@playwright/test'
import { encodeFunctionData, type Hex, parseAbi } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createApi } from '../lib/createApi.mjs'
import { startChain } from '../lib/servers/startChain.mjs'
import { startServer } from '../lib/servers/startServer.mjs'
import { linkWallet } from '../lib/steps/linkWallet.mjs'
import { password } from '../lib/steps/password.mjs'
import { signIn } from '../lib/steps/signIn.mjs'
import { expect, serveBy, test } from '../lib/test.ts'

const payments = 4500
const pictures = 500
const all = payments + pictures
const owner = privateKeyToAccount(generatePrivateKey())
const username = 'collector'

serveBy(async () => {
  const chain = await startChain()
  const multicall = await chain.deploy('Multicall3')
  const gold = await chain.deploy('Token', ['Gold', 'GLD', 0])
  const tiles = await chain.deploy('Pictures', ['Tiles', 'TILE'])
  const mintToken = parseAbi(['function mint(address, uint256)'])
  const mintPicture = parseAbi(['function mint(address, uint256, string)'])
  /** Many calls are one transaction. */
  const send = async (calls: { target: string; callData: Hex }[], size: number) => {
    for (let from = 0; from < calls.length; from += size) {
      const part = calls.slice(from, from + size).map((call) => ({ ...call, allowFailure: false }))
      await chain.call('Multicall3', multicall, 'aggregate3', [part])
    }
  }
  const place = (_none: unknown, index: number) => BigInt(index + 1)
  // The first payment is of one, the next of two: an amount tells which one it is.
  const amounts = Array.from({ length: payments }, place)
  await send(
    amounts.map((amount) => ({
      target: gold,
      callData: encodeFunctionData({ abi: mintToken, args: [owner.address, amount] }),
    })),
    500,
  )
  await send(
    Array.from({ length: pictures }, place).map((id) => ({
      target: tiles,
      callData: encodeFunctionData({ abi: mintPicture, args: [owner.address, id, describeTile(id)] }),
    })),
    50,
  )
  const server = await startServer({
    usePublicNodes: false,
    chains: [
      {
        id: chain.chainId,
        name: 'local',
        rpcUrls: [chain.url],
        requestsPerSecond: 10_000,
        contracts: { multicall },
        index: { mode: 'all', startBlock: 0, pollInterval: 200 },
      },
    ],
  })
  const api = createApi(server.url)
  const { sessionToken: token } = await api.signUp({ username, password })
  await linkWallet(api, owner, { token, chainId: chain.chainId })
  await expect
    .poll(async () => (await api.call('GET', `/chain/local/addresses/${owner.address}/transfers?limit=1`)).total, {
      timeout: 30_000,
    })
    .toBe(all)
  return { url: server.url, stop: async () => void (await Promise.all([server.stop(), chain.stop()])) }
})

const describeTile = (id: bigint) => {
  const image = `data:image/svg+xml,<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'><rect width='1' height='1' fill='hsl(${(id * 7n) % 360n} 60% 50%)'/></svg>`
  return `data:application/json,${encodeURIComponent(JSON.stringify({ name: `Tile ${id}`, image }))}`
}

type Journey = {
  /** Text of each row when last seen, by index. */
  said: Record<number, string>
  steps: number
  mostRows: number
  longestTask: number
}

/** Scrolls a list to its end, some screenfuls at a time, and records the rows. */
function travel(page: Page, label: string, screenfuls: number): Promise<Journey> {
  return page.evaluate(
    async ({ name, screenfuls }) => {
      const said: Record<number, string> = {}
      const tasks: number[] = [0]
      let mostRows = 0
      const observer = new PerformanceObserver((list) =>
        tasks.push(...list.getEntries().map((entry) => entry.duration)),
      )
      observer.observe({ type: 'longtask' })
      const frame = () => new Promise((resolve) => requestAnimationFrame(resolve))
      const findList = () => document.querySelector(`ul[aria-label="${name}"]`)
      const findRows = () => [...(findList()?.querySelectorAll<HTMLElement>(':scope > li') ?? [])]
      /** Returns true if rows cover the visible part of the list. A busy machine draws them some frames later. */
      const isDrawn = () => {
        const place = findList()?.getBoundingClientRect()
        const rows = findRows().map((row) => row.getBoundingClientRect())
        if (!place || rows.length === 0) return false
        const top = Math.max(place.top, 0)
        const bottom = Math.min(place.bottom, window.innerHeight)
        return (
          Math.min(...rows.map((row) => row.top)) <= top + 1 && Math.max(...rows.map((row) => row.bottom)) >= bottom - 1
        )
      }
      const look = () => {
        const rows = findRows()
        for (const row of rows) said[Number(row.ariaPosInSet)] = row.innerText
        mostRows = Math.max(mostRows, rows.length)
      }
      look()
      let steps = 0
      for (let still = 0; still < 40 && steps < 3000; steps++) {
        const place = window.scrollY
        window.scrollBy(0, window.innerHeight * screenfuls)
        await frame()
        await frame()
        for (let waited = 0; waited < 100 && !isDrawn(); waited++) await frame()
        // The name of a token that was not met before is on its way.
        for (let waited = 0; waited < 100 && document.querySelector('main [aria-busy]'); waited++) await frame()
        look()
        // More rows may be on their way.
        if (window.scrollY !== place) still = 0
        else {
          still++
          await new Promise((resolve) => setTimeout(resolve, 50))
        }
      }
      observer.disconnect()
      return { said, steps, mostRows, longestTask: Math.max(...tasks) }
    },
    { name: label, screenfuls },
  )
}

/** Work of the page's main thread in milliseconds, independent of other load. */
async function watchWork(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page)
  await client.send('Performance.enable', { timeDomain: 'threadTicks' })
  const read = async () => {
    const { metrics } = await client.send('Performance.getMetrics')
    return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
  }
  const before = await read()
  return async () => (await read()) - before
}

async function measureHeap(page: Page): Promise<number> {
  const client = await page.context().newCDPSession(page)
  await client.send('HeapProfiler.enable')
  await client.send('HeapProfiler.collectGarbage')
  const { usedSize } = await client.send('Runtime.getHeapUsage')
  await client.detach()
  return usedSize / 1024 / 1024
}

async function open(page: Page, show: string) {
  await signIn(page, username)
  await page.getByRole('heading', { name: `Hello, ${username}` }).waitFor()
  await page.goto(`/account/portfolio?show=${show}`)
}

test('5,000 transfers scroll to the end; few are in the page at a time, memory stays bounded, back leads to the place', async ({
  page,
}) => {
  test.setTimeout(180_000)
  await open(page, 'transfers')
  const list = page.getByRole('list', { name: 'Transfers' })
  await expect(list.getByText('Tiles #500')).toBeVisible()
  const before = await measureHeap(page)
  const readWork = await watchWork(page)
  const { said, steps, mostRows, longestTask } = await travel(page, 'Transfers', 1.4)
  const work = (await readWork()) / steps
  const after = await measureHeap(page)
  expect(mostRows).toBeLessThan(60)
  expect(work).toBeLessThan(60)
  expect(longestTask).toBeLessThan(2500)
  expect(after - before).toBeLessThan(20)
  expect(Object.keys(said).length).toBe(all)
  for (let place = 1; place <= all; place++) {
    const wanted =
      place <= pictures ? `Tiles #${all - payments - place + 1}` : `${(all - place + 1).toLocaleString('en-GB')} GLD`
    expect(said[place], `row ${place}`).toContain(`Received ${wanted}`)
  }

  // Once more over the same rows: nothing is kept twice.
  await page.evaluate(() => window.scrollTo(0, 0))
  await travel(page, 'Transfers', 4)
  expect((await measureHeap(page)) - after).toBeLessThan(8)

  const last = list.getByRole('listitem').filter({ hasText: /Received 1 GLD/ })
  await expect(last).toHaveAttribute('aria-setsize', String(all))
  await expect(last).toHaveAttribute('aria-posinset', String(all))
  const place = await page.evaluate(() => window.scrollY)
  await last.getByRole('link').first().click()
  await expect(page.getByRole('heading', { level: 1, name: 'Transaction' })).toBeVisible()
  await page.goBack()
  await expect(last).toBeInViewport()
  expect(Math.abs((await page.evaluate(() => window.scrollY)) - place)).toBeLessThan(300)
})

test('500 pictures scroll to the end; few are in the page at a time, memory stays bounded', async ({ page }) => {
  test.setTimeout(120_000)
  await open(page, 'nfts')
  const list = page.getByRole('list', { name: 'NFTs' })
  await expect(list.getByRole('article').filter({ hasText: 'Tile ' }).first()).toBeVisible({ timeout: 20_000 })
  const before = await measureHeap(page)
  const readWork = await watchWork(page)
  const { said, steps, mostRows, longestTask } = await travel(page, 'NFTs', 1)
  const work = (await readWork()) / steps
  const after = await measureHeap(page)
  expect(mostRows).toBeLessThan(30)
  expect(work).toBeLessThan(60)
  expect(longestTask).toBeLessThan(2500)
  expect(after - before).toBeLessThan(20)
  // A name comes a moment after its number, when the server has read the metadata.
  const ids = Object.values(said)
    .join('\n')
    .matchAll(/(?:Tile |#)(\d+)/g)
  expect(new Set([...ids].map(([, id]) => id)).size).toBe(pictures)
  await expect(list.getByRole('article').last()).toContainText(`Tile ${pictures}`)
  const pictured = list.getByRole('article').last().locator('img')
  await expect.poll(() => pictured.evaluate((element) => (element as HTMLImageElement).naturalWidth)).toBeGreaterThan(0)
})
