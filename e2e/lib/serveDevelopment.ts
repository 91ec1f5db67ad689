import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { extname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { BrowserContext } from '@playwright/test'

const web = fileURLToPath(new URL('../../apps/web/', import.meta.url))
const vite = join(createRequire(`${web}package.json`).resolve('vite/package.json'), '../bin/vite.js')

const types: Record<string, string> = {
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
}

/**
 * Builds the web application with React's development build, which warns where the published one is silent, and gives
 * its files to the pages of a context in place of the server's.
 */
export async function serveDevelopment(context: BrowserContext): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-development-'))
  const parameters = [vite, 'build', '--mode', 'development', '--outDir', folder, '--minify', 'false']
  await promisify(execFile)(process.execPath, parameters, {
    cwd: web,
    env: { ...process.env, NODE_ENV: 'development' },
  })
  const html = await readFile(join(folder, 'index.html'), 'utf8')
  await context.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url())
    if (pathname.startsWith('/assets/')) {
      const body = await readFile(join(folder, pathname))
      return route.fulfill({ body, contentType: types[extname(pathname)] ?? 'application/octet-stream' })
    }
    if (route.request().resourceType() !== 'document') return route.continue()
    const headers = (await route.fetch()).headers()
    return route.fulfill({
      body: html,
      contentType: 'text/html',
      headers: { 'content-security-policy': headers['content-security-policy'] ?? '' },
    })
  })
  return () => rm(folder, { recursive: true })
}
