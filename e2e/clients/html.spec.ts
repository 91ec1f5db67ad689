import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from '@playwright/test'
import { type Server, startServer } from '../lib/servers/startServer.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' }

/** A server of files, with the packages beside the example as `npm install` lays them. */
const files = createServer(async (request, response) => {
  const path = new URL(request.url ?? '/', 'http://files').pathname.slice(1)
  const file = path.startsWith('node_modules/') ? `${root}${path}` : `${root}examples/html/${path || 'index.html'}`
  const content = await readFile(file).catch(() => undefined)
  response.writeHead(content ? 200 : 404, { 'Content-Type': types[extname(file)] ?? 'text/plain' }).end(content)
})
let server: Server

test.beforeAll(async () => {
  server = await startServer({ appId: 'example' })
  await once(files.listen(0, '127.0.0.1'), 'listening')
})
test.afterAll(async () => {
  files.close()
  await server?.stop()
})

test('examples/html: a page without a bundler signs up, saves and follows', async ({ page, context }) => {
  const faults: string[] = []
  context.on('console', (message) => message.type() === 'error' && faults.push(message.text()))
  context.on('weberror', (error) => faults.push(String(error.error().stack)))
  // Another origin than the server: the session is a token.
  const { port } = files.address() as AddressInfo
  const url = `http://localhost:${port}/?server=${encodeURIComponent(`${server.url}/server`)}`
  const beside = await context.newPage()
  await beside.goto(url)
  await page.goto(url)
  await page.getByLabel('Username').fill('ada')
  await page.getByLabel('Password').fill('correct horse')
  await page.getByRole('button', { name: 'Create account' }).click()
  await expect(page.getByRole('status')).toHaveText('Hello ada')
  await page.getByRole('button', { name: 'Save a score' }).click()
  await expect(page.getByRole('listitem')).toHaveText(/^ada: \d+$/)
  await expect(beside.getByRole('listitem')).toHaveText(/^ada: \d+$/)
  expect(faults).toEqual([])
})
